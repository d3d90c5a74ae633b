import Coffer
import Foundation
import TestSupport
import Testing

private enum Size: Int, FieldStorableType { case small, big }
private enum Berth: String, FieldStorableType { case upper, lower }
private enum Mood: String, ImportableAttributeType, FieldStorableType { case calm, angry }

/// An enumeration with hand-written conversions, as in CoreStore's documentation.
private enum Side: Int, FieldStorableType {
    case left, right

    typealias FieldStoredNativeType = NSNumber
    static var cs_rawAttributeType: AttributeType { .integer32AttributeType }
    static func cs_fromFieldStoredNativeType(_ value: NSNumber) -> Side { Side(rawValue: value.intValue) ?? .left }
    func cs_toFieldStoredNativeType() -> Any? { NSNumber(value: rawValue) }
}

/// A type that contains a Boolean, and whose native type is a number.
private struct Lit: FieldStorableType, Equatable {
    var isLit: Bool

    typealias FieldStoredNativeType = NSNumber
    static var cs_rawAttributeType: AttributeType { .booleanAttributeType }
    static func cs_fromFieldStoredNativeType(_ value: NSNumber) -> Lit { Lit(isLit: value.boolValue) }
    func cs_toFieldStoredNativeType() -> Any? { NSNumber(value: isLit) }
}

private struct Flag: RawRepresentable, ImportableAttributeType, FieldStorableType { let rawValue: Bool }
private struct Volume: RawRepresentable, ImportableAttributeType, FieldStorableType { let rawValue: Double }
private struct Price: RawRepresentable, ImportableAttributeType, FieldStorableType { let rawValue: Decimal }
private struct Seal: RawRepresentable, ImportableAttributeType, FieldStorableType { let rawValue: Data }
private struct Day: RawRepresentable, ImportableAttributeType, FieldStorableType { let rawValue: Date }
private struct Place: RawRepresentable, ImportableAttributeType, FieldStorableType { let rawValue: URL }
private struct Token: RawRepresentable, ImportableAttributeType, FieldStorableType { let rawValue: UUID }

private final class Chest: CoreStoreObject {
    @Field.Stored("flag") var flag = Flag(rawValue: false)
    @Field.Stored("size") var size = Volume(rawValue: 0)
    @Field.Stored("price") var price = Price(rawValue: 0)
    @Field.Stored("seal") var seal = Seal(rawValue: Data())
    @Field.Stored("day") var day = Day(rawValue: Date(timeIntervalSinceReferenceDate: 0))
    @Field.Stored("place") var place = Place(rawValue: URL(filePath: "/"))
    @Field.Stored("token") var token = Token(rawValue: UUID())
    @Field.Stored("other") var other: Token?
}

private final class Cabin: CoreStoreObject {
    @Field.Stored("size") var size: Size = .small
    @Field.Stored("other") var other: Size?
    @Field.Stored("berth") var berth: Berth = .upper
    @Field.Stored("mood") var mood: Mood = .calm
    @Field.Stored("side") var side: Side = .left
    @Field.Stored("number") var number: NSNumber?
    @Field.Stored("isFree") var isFree = false
    @Field.Stored("lit") var lit = Lit(isLit: false)
    @Field.Stored("otherLit") var otherLit: Lit?
    @Field.Coded("plist", coder: FieldCoders.DefaultNSSecureCoding.self) var coded: NSNumber?
}

/// Enumerations and other types that a field can store.
@MainActor
struct EnumerationFieldTests {
    private func make(_ backend: TestBackend) throws -> TestStack {
        let test = try TestStack(
            backend, CoreStoreSchema(modelVersion: "V1", entities: [Entity<Cabin>("CabinOfEnumerations")]))
        try test.stack.perform(synchronous: { transaction in
            let cabin = transaction.create(Into<Cabin>())
            (cabin.size, cabin.other, cabin.berth, cabin.mood, cabin.side) = (.big, .small, .lower, .angry, .right)
            cabin.number = NSNumber(value: true)
            (cabin.isFree, cabin.lit, cabin.otherLit) = (true, Lit(isLit: true), Lit(isLit: true))
            cabin.coded = NSNumber(value: true)
            _ = transaction.create(Into<Cabin>())
        })
        return test
    }

    @Test(.pins("FLD-01"), arguments: TestBackend.allCases)
    func `an enumeration field needs the conformance to only one protocol`(_ backend: TestBackend) throws {
        let test = try make(backend)
        let found = try test.stack.fetchAll(
            From<Cabin>().where {
                $0.$size == .big && $0.$other == .small && $0.$berth == .lower && $0.$mood == .angry
                    && $0.$side == .right
            })
        #expect(found.count == 1)
        #expect(found.first?.size == .big && found.first?.other == .small && found.first?.berth == .lower)
        #expect(found.first?.side == .right)
        #expect(try test.stack.fetchCount(From<Cabin>().where(\.$size != .small)) == 1)
        #expect(try test.stack.fetchCount(From<Cabin>().where(\.$berth == .upper && \.$other == nil)) == 1)
        #expect(Size.cs_rawAttributeType == .integer64AttributeType)
        #expect(Berth.cs_rawAttributeType == .stringAttributeType)
    }

    @Test(.pins("FLD-01"), arguments: TestBackend.allCases)
    func `raw values can have other types than strings and integers`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, CoreStoreSchema(modelVersion: "V1", entities: [Entity<Chest>("Chest")]))
        let (date, url, uuid) = (Date(timeIntervalSinceReferenceDate: 1.5), URL(filePath: "/tmp/a b"), UUID())
        let number = try #require(Decimal(string: "0.1"))
        try test.stack.perform(synchronous: { transaction in
            let chest = transaction.create(Into<Chest>())
            chest.flag = Flag(rawValue: true)
            chest.size = Volume(rawValue: 0.1)
            chest.price = Price(rawValue: number)
            chest.seal = Seal(rawValue: Data([1]))
            chest.day = Day(rawValue: date)
            chest.place = Place(rawValue: url)
            (chest.token, chest.other) = (Token(rawValue: uuid), Token(rawValue: uuid))
            _ = transaction.create(Into<Chest>())
        })
        func count(_ condition: Where<Chest>) throws -> Int {
            try test.stack.fetchCount(From<Chest>().where(condition))
        }
        #expect(try count(\.$flag == Flag(rawValue: true)) == 1)
        #expect(try count(\.$size == Volume(rawValue: 0.1)) == 1)
        #expect(try count(\.$price == Price(rawValue: number)) == 1)
        #expect(try count(\.$seal == Seal(rawValue: Data([1]))) == 1)
        #expect(try count(\.$day == Day(rawValue: date)) == 1)
        #expect(try count(\.$place == Place(rawValue: url)) == 1)
        #expect(try count(\.$token == Token(rawValue: uuid)) == 1)
        #expect(try count(\.$other == nil) == 1)
        let chest = try #require(try test.stack.fetchOne(From<Chest>().where(\.$other == Token(rawValue: uuid))))
        #expect(chest.flag.rawValue && chest.size.rawValue == 0.1 && chest.price.rawValue == number)
        #expect(chest.seal.rawValue == Data([1]) && chest.day.rawValue == date && chest.place.rawValue == url)
        #expect(chest.token.rawValue == uuid && chest.other?.rawValue == uuid)
        let text = try test.stack.queryValue(
            From<Chest>().select(String.self, .attribute(\.$token)).where(\.$other != nil))
        #expect(text == uuid.uuidString.lowercased())
    }

    @Test(.pins("FLD-01", "FLD-33"), arguments: TestBackend.allCases)
    func `a Boolean NSNumber is an integer in a stored field and stays Boolean in a coded field`(
        _ backend: TestBackend
    ) throws {
        let test = try make(backend)
        let cabin = try #require(try test.stack.fetchOne(From<Cabin>().where(\.$size == .big)))
        // As in Core Data, the attribute is an integer of 64 bits, in which true is 1.
        #expect(NSNumber.cs_rawAttributeType == .integer64AttributeType)
        #expect(cabin.number?.isBoolean == false)
        #expect(cabin.number?.boolValue == true && cabin.number as? Bool == true)
        #expect(cabin.number == NSNumber(value: true) && cabin.number == NSNumber(value: 1))
        let transaction = test.stack.beginUnsafe()
        let own = try #require(transaction.edit(cabin))
        own.number = NSNumber(value: false)
        #expect(own.number == NSNumber(value: 0) && own.number?.isBoolean == false)
        #expect(cabin.coded?.isBoolean == true && cabin.coded?.boolValue == true)
    }

    @Test(.pins("FLD-01"), arguments: TestBackend.allCases)
    func `a custom type stores a Boolean as a number`(_ backend: TestBackend) throws {
        let test = try make(backend)
        let cabins = try test.stack.fetchAll(From<Cabin>().orderBy(.descending(\.$isFree)))
        #expect(cabins.map(\.lit) == [Lit(isLit: true), Lit(isLit: false)])
        #expect(cabins.map(\.otherLit) == [Lit(isLit: true), nil])
        #expect(try test.stack.fetchCount(From<Cabin>(), Where<Cabin>("lit == YES AND otherLit == YES")) == 1)
        #expect(try test.stack.fetchCount(From<Cabin>().where(\.$lit == Lit(isLit: true))) == 1)
    }

    @Test(.pins("FQ-09"), arguments: TestBackend.allCases)
    func `a queried Boolean is an NSNumber with a Boolean value`(_ backend: TestBackend) throws {
        let test = try make(backend)
        let order = OrderBy<Cabin>(.descending(\.$isFree))
        let number = try test.stack.queryValue(From<Cabin>(), Select<Cabin, NSNumber>(.attribute(\.$isFree)), order)
        #expect(number?.isBoolean == true && number as? Bool == true && number == NSNumber(value: true))
        let greatest = try test.stack.queryValue(From<Cabin>(), Select<Cabin, NSNumber>(.maximum(\.$isFree)))
        #expect(greatest?.isBoolean == true && greatest as? Bool == true)
        let rows = try test.stack.queryAttributes(
            From<Cabin>(), Select<Cabin, NSDictionary>(.attribute(\.$isFree), .attribute(\.$otherLit)), order)
        #expect(rows.map { $0["isFree"] as? Bool } == [true, false])
        #expect(rows.map { $0["otherLit"] as? Bool } == [true, nil])
        #expect(rows.allSatisfy { $0.values.allSatisfy { ($0 as? NSNumber)?.isBoolean == true } })
    }

    @Test(.pins("FQ-07"), arguments: TestBackend.allCases)
    func `every number except zero converts to true`(_ backend: TestBackend) throws {
        let test = try make(backend)
        #expect(try test.stack.queryValue(From<Cabin>().select(Bool.self, .average(\.$side))) == true)
        #expect(try test.stack.queryValue(From<Cabin>().select(Double.self, .average(\.$side))) == 0.5)
        #expect(try test.stack.queryValue(From<Cabin>().select(Bool.self, .minimum(\.$side))) == false)
        #expect(Bool.cs_fromQueryableNativeType(NSNumber(value: 0.5)) == true)
        #expect(Bool.cs_fromQueryableNativeType(NSNumber(value: -0.5)) == true)
        #expect(Bool.cs_fromQueryableNativeType(NSNumber(value: 0)) == false)
    }
}

extension NSNumber {
    /// Whether the number was created from a Boolean.
    fileprivate var isBoolean: Bool { objCType.pointee == NSNumber(value: true).objCType.pointee }
}
