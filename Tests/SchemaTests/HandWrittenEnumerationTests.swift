import Coffer
import Foundation
import TestSupport
import Testing

/// An enumeration that is stored as its own codes, which are not its raw values.
private enum Door: Int, FieldStorableType {
    case open = 1
    case closed = 2

    typealias FieldStoredNativeType = NSNumber
    static var cs_rawAttributeType: AttributeType { .integer64AttributeType }
    static func cs_fromFieldStoredNativeType(_ value: NSNumber) -> Door { value.intValue == 10 ? .open : .closed }
    func cs_toFieldStoredNativeType() -> Any? { NSNumber(value: rawValue * 10) }
}

/// An enumeration that is stored as a Boolean, although its raw values are strings.
private enum Switch: String, FieldStorableType {
    case on, off

    typealias FieldStoredNativeType = NSNumber
    static var cs_rawAttributeType: AttributeType { .booleanAttributeType }
    static func cs_fromFieldStoredNativeType(_ value: NSNumber) -> Switch { value.boolValue ? .on : .off }
    func cs_toFieldStoredNativeType() -> Any? { NSNumber(value: self == .on) }
}

/// An enumeration that is stored as a string, although its raw values are integers; queries may use it.
private enum Grade: Int, ImportableAttributeType, FieldStorableType {
    case low, high

    typealias QueryableNativeType = NSString
    typealias FieldStoredNativeType = NSString
    static var cs_rawAttributeType: AttributeType { .stringAttributeType }
    static func cs_fromQueryableNativeType(_ value: NSString) -> Grade? {
        switch String(describing: value) {
        case "LOW": .low
        case "HIGH": .high
        default: nil
        }
    }
    static func cs_fromFieldStoredNativeType(_ value: NSString) -> Grade { cs_fromQueryableNativeType(value) ?? .low }
    func cs_toQueryableNativeType() -> NSString { NSString(string: self == .low ? "LOW" : "HIGH") }
    func cs_toFieldStoredNativeType() -> Any? { cs_toQueryableNativeType() }
}

private final class Room: CoreStoreObject {
    @Field.Stored("name") var name: String = ""
    @Field.Stored("door") var door: Door = .closed
    @Field.Stored("back") var back: Door?
    @Field.Stored("light") var light: Switch = .off
    @Field.Stored("lamp") var lamp: Switch?
    @Field.Stored("grade") var grade: Grade = .low
    @Field.Stored("other") var other: Grade?
}

/// Enumerations that define their stored values themselves.
@MainActor
struct HandWrittenEnumerationTests {
    /// Returns a stack with an open, bright room, and a room with only default values.
    private func make(_ backend: TestBackend) throws -> TestStack {
        let test = try TestStack(
            backend, CoreStoreSchema(modelVersion: "V1", entities: [Entity<Room>("RoomOfEnumerations")]))
        try test.stack.perform(synchronous: { transaction in
            let room = transaction.create(Into<Room>())
            room.name = "a"
            (room.door, room.back, room.light, room.lamp) = (.open, .closed, .on, .off)
            (room.grade, room.other) = (.high, .low)
            #expect((room.door, room.back, room.light, room.lamp) == (.open, .closed, .on, .off))
            transaction.create(Into<Room>()).name = "b"
        })
        return test
    }

    private func names(_ test: TestStack, _ condition: Where<Room>) throws -> [String] {
        try test.stack.fetchAll(From<Room>(), condition, OrderBy<Room>(.ascending(\.$name))).map(\.name)
    }

    @Test(.pins("FLD-01", "FLD-51"), arguments: TestBackend.allCases)
    func `an enumeration is stored by its own conversion`(_ backend: TestBackend) throws {
        let test = try make(backend)
        let rooms = try test.stack.fetchAll(From<Room>().orderBy(.ascending(\.$name)))
        #expect(rooms.map(\.door) == [.open, .closed])
        #expect(rooms.map(\.back) == [.closed, nil])
        #expect(rooms.map(\.light) == [.on, .off])
        #expect(rooms.map(\.lamp) == [.off, nil])
        #expect(rooms.map(\.grade) == [.high, .low])
        #expect(rooms.map(\.other) == [.low, nil])
        #expect(rooms.map { $0.asSnapshot(in: test.stack)?.$light } == [.on, .off])
        // Conditions on plain values find the stored values.
        #expect(try names(test, Where<Room>("door == 10 AND back == 20 AND light == YES AND lamp == NO")) == ["a"])
        #expect(try names(test, Where<Room>("door == 20 AND back == nil AND light == NO")) == ["b"])
        #expect(try names(test, Where<Room>("grade == 'HIGH' AND other == 'LOW'")) == ["a"])
    }

    @Test(.pins("FLD-01", "FLD-51"), arguments: TestBackend.allCases)
    func `conditions and queries use the conversion of an enumeration`(_ backend: TestBackend) throws {
        let test = try make(backend)
        #expect(try names(test, \.$door == .open) == ["a"])
        #expect(try names(test, \.$light != .on) == ["b"])
        #expect(try names(test, \.$lamp == .off) == ["a"])
        #expect(try names(test, \.$grade == .high) == ["a"])
        #expect(try names(test, Where<Room> { $0.$door == .closed && $0.$light == .off && $0.$grade == .low }) == ["b"])
        let order = OrderBy<Room>(.ascending(\.$name))
        #expect(try test.stack.queryValue(From<Room>(), Select<Room, Grade>(.attribute(\.$grade)), order) == .high)
        #expect(try test.stack.queryValue(From<Room>(), Select<Room, Int>(.attribute(\.$door)), order) == 10)
    }
}
