import Coffer
import Foundation
import TestSupport
import Testing

private enum Rank: String, ImportableAttributeType, FieldStorableType {
    case low, high
}

private final class Thing<Key: ImportableAttributeType & FieldStorableType>: CoreStoreObject, ImportableUniqueObject
where Key.QueryableNativeType: CoreDataNativeType {
    @Field.Stored("key") var key: Key?
    @Field.Stored("count") var count: Int = 0

    static var uniqueIDKeyPath: String { "key" }

    static func uniqueID(from source: Key, in transaction: BaseDataTransaction) throws -> Key? { source }

    func update(from source: Key, in transaction: BaseDataTransaction) throws { count += 1 }
}

private final class Text: CoreStoreObject, ImportableUniqueObject {
    @Field.Stored("key") var key: UUID = UUID()
    @Field.Stored("count") var count: Int = 0

    static var uniqueIDKeyPath: String { "key" }

    static func uniqueID(from source: String, in transaction: BaseDataTransaction) throws -> String? { source }

    func update(from source: String, in transaction: BaseDataTransaction) throws { count += 1 }
}

/// Unique ids of every type.
@MainActor
struct KeyTypeTests {
    /// Imports two ids as new, pending and saved objects.
    private func check<Key: ImportableAttributeType & FieldStorableType>(
        _ first: Key, _ second: Key, _ backend: TestBackend
    ) throws where Key.QueryableNativeType: CoreDataNativeType {
        let schema = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Thing<Key>>("Thing")])
        let test = try TestStack(backend, schema)
        func counts(_ source: any FetchableSource) throws -> [Int] {
            try source.fetchAll(From<Thing<Key>>()).map(\.count)
        }
        let pending = test.stack.beginUnsafe()
        let sources = [first, second, first, second]
        let things = try pending.importUniqueObjects(Into<Thing<Key>>(), sourceArray: sources)
        #expect(things.map(\.key) == [first, second], "\(Key.self)")
        #expect(things.map(\.uniqueIDValue) == [first, second], "\(Key.self)")
        _ = try pending.importUniqueObjects(Into<Thing<Key>>(), sourceArray: [first])
        #expect(try counts(pending) == [2, 1], "\(Key.self)")
        try pending.commitAndWait()
        let saved = test.stack.beginUnsafe()
        for key in [first, second] { _ = try saved.importUniqueObject(Into<Thing<Key>>(), source: key) }
        // Because there are so many pending objects, an index finds them.
        for _ in 1...40 { _ = saved.create(Into<Thing<Key>>()) }
        _ = try saved.importUniqueObject(Into<Thing<Key>>(), source: second)
        let again = try saved.importUniqueObjects(Into<Thing<Key>>(), sourceArray: [second, first])
        #expect(again.map(\.uniqueIDValue) == [second, first], "\(Key.self)")
        try saved.commitAndWait()
        #expect(try counts(test.stack) == [4, 4] + Array(repeating: 0, count: 40), "\(Key.self)")
    }

    @Test(.pins("IMP-04"), arguments: TestBackend.allCases)
    func `ids may be of every importable type`(_ backend: TestBackend) throws {
        try check(true, false, backend)
        try check(Int8.min, Int8.max, backend)
        try check(Int16.min, Int16.max, backend)
        try check(Int32.min, Int32.max, backend)
        try check(Int64.min, Int64.max, backend)
        try check(1 << 53, 1 << 53 + 1, backend)
        try check(Float(0.1), Float(0.1).nextUp, backend)
        try check(0.1, 0.1.nextUp, backend)
        try check(CGFloat(-0.0), CGFloat(0.5), backend)
        let date = Date(timeIntervalSinceReferenceDate: 700_000_000.123_456_7)
        try check(date, Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate.nextUp), backend)
        try check(Data(), Data([0, 1, 255]), backend)
        try check("a", "A", backend)
        try check(URL(filePath: "/a"), try #require(URL(string: "https://example.com/A?b=%20#c")), backend)
        try check(UUID(), UUID(), backend)
        try check(Rank.low, Rank.high, backend)
    }

    @Test(.pins("IMP-04"), arguments: TestBackend.allCases)
    func `ids may be of the classes of Foundation`(_ backend: TestBackend) throws {
        try check(NSNumber(value: 1), NSNumber(value: 2), backend)
        try check(NSString("a"), NSString("A"), backend)
        try check(NSDate(timeIntervalSinceReferenceDate: 0.1), NSDate(timeIntervalSinceReferenceDate: 0.2), backend)
        try check(NSData(), NSData(data: Data([0])), backend)
        let (a, b) = (URL(filePath: "/a"), URL(filePath: "/b"))
        try check(a as NSURL, b as NSURL, backend)
        try check(NSUUID(), NSUUID(), backend)
    }

    @Test(.pins("IMP-04"), arguments: TestBackend.allCases)
    func `decimal ids are compared by their values`(_ backend: TestBackend) throws {
        let hundred = Decimal(sign: .plus, exponent: -2, significand: 10_000)
        try check(hundred, Decimal(sign: .plus, exponent: -30, significand: 1), backend)
        let schema = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Thing<Decimal>>("Thing")])
        let test = try TestStack(backend, schema)
        let pending = test.stack.beginUnsafe()
        for _ in 1...40 { _ = pending.create(Into<Thing<Decimal>>()) }
        let forms = [hundred, 100, Decimal(sign: .plus, exponent: 2, significand: 1)]
        #expect(try pending.importUniqueObjects(Into<Thing<Decimal>>(), sourceArray: forms).count == 1)
        for form in forms { _ = try pending.importUniqueObject(Into<Thing<Decimal>>(), source: form) }
        try pending.commitAndWait()
        #expect(try test.stack.fetchAll(From<Thing<Decimal>>().where(\.$key == 100)).map(\.count) == [4])
    }

    @Test(.pins("IMP-06"), arguments: TestBackend.allCases)
    func `strings that differ in their bytes are different ids`(_ backend: TestBackend) throws {
        let schema = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Thing<String>>("Thing")])
        let test = try TestStack(backend, schema)
        let forms = ["caf\u{E9}", "cafe\u{301}"]
        #expect(forms[0] == forms[1])
        func scalars(_ things: [Thing<String>]) -> [[UInt32]] {
            things.map { $0.uniqueIDValue.unicodeScalars.map(\.value) }
        }
        let expected = forms.map { $0.unicodeScalars.map(\.value) }
        try test.stack.perform(synchronous: { transaction throws in
            var mappings: [[String]] = []
            let things = try transaction.importUniqueObjects(
                Into<Thing<String>>(), sourceArray: forms + ["x"] + forms
            ) { mapping in
                mappings.append(mapping.keys.sorted())
                return mapping
            }
            #expect(scalars(things) == expected + [[120]])
            #expect(mappings == [["caf\u{E9}", "x"], ["caf\u{E9}"]])
        })
        try test.stack.perform(synchronous: { transaction throws in
            let second = try #require(try transaction.importUniqueObject(Into<Thing<String>>(), source: forms[1]))
            #expect(scalars([second]) == [expected[1]])
        })
        #expect(try test.stack.fetchAll(From<Thing<String>>()).map(\.count) == [1, 2, 1])
    }

    @Test(.pins("IMP-04"), arguments: TestBackend.allCases)
    func `a string finds the object with the same UUID in upper and lower case`(_ backend: TestBackend) throws {
        let schema = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Text>("Text")])
        let test = try TestStack(backend, schema)
        let id = UUID()
        for text in [id.uuidString, id.uuidString.lowercased()] {
            try test.stack.perform(synchronous: { transaction throws in
                _ = try transaction.importUniqueObject(Into<Text>(), source: text)
                _ = try transaction.importUniqueObjects(
                    Into<Text>(), sourceArray: [id.uuidString, id.uuidString.lowercased()])
            })
        }
        let texts = try test.stack.fetchAll(From<Text>())
        #expect(texts.map(\.key) == [id])
        #expect(texts.map(\.count) == [4])
    }
}
