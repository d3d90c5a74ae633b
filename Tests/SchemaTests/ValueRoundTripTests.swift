import Coffer
import Foundation
import TestSupport
import Testing

/// Values of every type that are saved and read again.
@MainActor
struct ValueRoundTripTests {
    private enum Suit: String, ImportableAttributeType, FieldStorableType { case hearts, spades = "♠️" }
    private enum Rank: Int16, ImportableAttributeType, FieldStorableType { case low = -32768, high = 32767 }

    private final class Box: CoreStoreObject {
        @Field.Stored("bool") var bool: Bool = false
        @Field.Stored("int") var int: Int = 0
        @Field.Stored("int8") var int8: Int8 = 0
        @Field.Stored("int16") var int16: Int16 = 0
        @Field.Stored("int32") var int32: Int32 = 0
        @Field.Stored("int64") var int64: Int64 = 0
        @Field.Stored("uint8") var uint8: UInt8 = 0
        @Field.Stored("uint16") var uint16: UInt16 = 0
        @Field.Stored("uint32") var uint32: UInt32 = 0
        @Field.Stored("float") var float: Float = 0
        @Field.Stored("double") var double: Double = 0
        @Field.Stored("cgfloat") var cgfloat: CGFloat = 0
        @Field.Stored("decimal") var decimal: Decimal = 0
        @Field.Stored("date") var date: Date = Date(timeIntervalSinceReferenceDate: 0)
        @Field.Stored("data") var data: Data = Data()
        @Field.Stored("string") var string: String = ""
        @Field.Stored("url") var url: URL = URL(filePath: "/")
        @Field.Stored("uuid") var uuid: UUID = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        @Field.Stored("suit") var suit: Suit = .hearts
        @Field.Stored("rank") var rank: Rank = .low
        @Field.Stored("number") var number: NSNumber = 0
        @Field.Stored("nsdecimal") var nsdecimal: NSDecimalNumber = 0
        @Field.Stored("nsstring") var nsstring: NSString = ""
        @Field.Stored("nsdata") var nsdata: NSData = NSData()
        @Field.Stored("nsdate") var nsdate: NSDate = NSDate(timeIntervalSinceReferenceDate: 0)
        @Field.Stored("nsurl") var nsurl: NSURL = NSURL(fileURLWithPath: "/")
        @Field.Stored("nsuuid") var nsuuid: NSUUID = NSUUID()
    }

    private final class Maybe: CoreStoreObject {
        @Field.Stored("bool") var bool: Bool?
        @Field.Stored("int") var int: Int?
        @Field.Stored("int8") var int8: Int8?
        @Field.Stored("float") var float: Float?
        @Field.Stored("double") var double: Double?
        @Field.Stored("decimal") var decimal: Decimal?
        @Field.Stored("date") var date: Date?
        @Field.Stored("data") var data: Data?
        @Field.Stored("string") var string: String?
        @Field.Stored("url") var url: URL?
        @Field.Stored("uuid") var uuid: UUID?
        @Field.Stored("suit") var suit: Suit?
        @Field.Stored("number") var number: NSNumber?
        @Field.Stored("nsdecimal") var nsdecimal: NSDecimalNumber?
        @Field.Stored("nsuuid") var nsuuid: NSUUID?
    }

    private func makeStack(_ backend: TestBackend) throws -> TestStack {
        try TestStack(
            backend, CoreStoreSchema(modelVersion: "V1", entities: [Entity<Box>("Box"), Entity<Maybe>("Maybe")])
        )
    }

    /// Saves each value, reads it in another context, and looks it up by a comparison.
    private func check<V: FieldStorableType & Equatable>(
        _ backend: TestBackend, _ keyPath: ReferenceWritableKeyPath<Box, V>,
        _ field: KeyPath<Box, FieldContainer<Box>.Stored<V>>, _ values: [V]
    ) throws {
        let test = try makeStack(backend)
        for value in values {
            try test.stack.perform(synchronous: { transaction in
                let box = transaction.create(Into<Box>())
                box[keyPath: keyPath] = value
                #expect(box[keyPath: keyPath] == value)
            })
            let found = try test.stack.fetchAll(From<Box>().where(field == value))
            #expect(found.map { $0[keyPath: keyPath] } == [value])
            let fresh = try test.stack.perform(synchronous: { transaction in
                try transaction.fetchAll(From<Box>().where([value] ~= field)).map { $0[keyPath: keyPath] == value }
            })
            #expect(fresh == [true])
            try test.stack.perform(synchronous: { _ = try $0.deleteAll(From<Box>()) })
        }
    }

    @Test(.pins("FLD-01"), arguments: TestBackend.allCases)
    func `numbers survive a round trip, including the extreme values`(_ backend: TestBackend) throws {
        try check(backend, \.bool, \.$bool, [true, false])
        try check(backend, \.int, \.$int, [.min, -1, 0, 1, .max])
        try check(backend, \.int8, \.$int8, [.min, 0, .max])
        try check(backend, \.int16, \.$int16, [.min, 0, .max])
        try check(backend, \.int32, \.$int32, [.min, 0, .max])
        try check(backend, \.int64, \.$int64, [.min, .min + 1, 1 << 53 + 1, .max - 1, .max])
        try check(backend, \.uint8, \.$uint8, [.min, .max])
        try check(backend, \.uint16, \.$uint16, [.min, .max])
        try check(backend, \.uint32, \.$uint32, [.min, .max])
        try check(
            backend, \.float, \.$float,
            [0, -0.1, .pi, .leastNonzeroMagnitude, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .infinity]
        )
        try check(
            backend, \.double, \.$double,
            [0.1, -1e-300, .leastNonzeroMagnitude, .greatestFiniteMagnitude, -.infinity, 9_007_199_254_740_992]
        )
        try check(backend, \.cgfloat, \.$cgfloat, [0.1, -1e300])
        let decimals = ["0.1", "-0.1", "12345678901234567890123456789012345678", "1e-100", "-1e100", "0"]
        try check(backend, \.decimal, \.$decimal, decimals.compactMap { Decimal(string: $0) })
        try check(backend, \.rank, \.$rank, [.low, .high])
        try check(backend, \.number, \.$number, [0, 1, -1, NSNumber(value: Int64.max), NSNumber(value: Int64.min)])
        try check(
            backend, \.nsdecimal, \.$nsdecimal, ["0.1", "-12345678901234567890.5"].map { NSDecimalNumber(string: $0) })
    }

    @Test(.pins("FLD-01"), arguments: TestBackend.allCases)
    func `strings, bytes and dates survive a round trip`(_ backend: TestBackend) throws {
        let texts = [
            "", "a", "it's \"q\"", "äöü 🏳️‍🌈", "a\u{0}b", "e\u{301}", "\u{E9}", "%_\\",
            String(repeating: "x", count: 70_000),
        ]
        try check(backend, \.string, \.$string, texts)
        try check(backend, \.nsstring, \.$nsstring, texts.map { NSString(string: $0) })
        let bytes = [Data(), Data([0]), Data((0...255).map { UInt8($0) }), Data(repeating: 7, count: 70_000)]
        try check(backend, \.data, \.$data, bytes)
        try check(backend, \.nsdata, \.$nsdata, bytes.map { NSData(data: $0) })
        let seconds = [
            0, 0.000_001, -0.000_001, 1e9 + 0.123_456, -63_114_076_800, 785_000_000.123_456_7, 1.123_456_789, 1e30,
            -1e300, .leastNonzeroMagnitude, .infinity, -.infinity,
        ]
        let dates = seconds.map(Date.init(timeIntervalSinceReferenceDate:))
        try check(backend, \.date, \.$date, dates + [.distantPast, .distantFuture, Date()])
        try check(
            backend, \.nsdate, \.$nsdate,
            dates.map { NSDate(timeIntervalSinceReferenceDate: $0.timeIntervalSinceReferenceDate) })
        let urls = ["https://a.b/c?d=e%20f#g", "file:///tmp/x", "mailto:a@b.c", "relative/path"]
        try check(backend, \.url, \.$url, urls.compactMap { URL(string: $0) })
        try check(backend, \.nsurl, \.$nsurl, urls.compactMap { NSURL(string: $0) })
        let uuids = (0..<3).map { _ in UUID() }
        try check(backend, \.uuid, \.$uuid, uuids)
        try check(backend, \.nsuuid, \.$nsuuid, uuids.compactMap { NSUUID(uuidString: $0.uuidString) })
        try check(backend, \.suit, \.$suit, [.hearts, .spades])
    }

    @Test(.pins("FLD-01"), arguments: TestBackend.allCases)
    func `an optional of every type stores nil and a value`(_ backend: TestBackend) throws {
        let test = try makeStack(backend)
        let (now, uuid) = (Date(timeIntervalSinceReferenceDate: 1.5), UUID())
        try test.stack.perform(synchronous: { _ = $0.create(Into<Maybe>()) })
        let maybe = try #require(try test.stack.fetchOne(From<Maybe>()))
        func isEmpty() -> Bool {
            maybe.bool == nil && maybe.int == nil && maybe.int8 == nil && maybe.float == nil && maybe.double == nil
                && maybe.decimal == nil && maybe.date == nil && maybe.data == nil && maybe.string == nil
                && maybe.url == nil && maybe.uuid == nil && maybe.suit == nil && maybe.number == nil
                && maybe.nsdecimal == nil && maybe.nsuuid == nil
        }
        #expect(isEmpty())
        #expect(
            try test.stack.fetchCount(From<Maybe>().where { $0.$bool == nil && $0.$date == nil && $0.$suit == nil })
                == 1)
        try test.stack.perform(synchronous: { transaction in
            let maybe = try #require(transaction.edit(maybe))
            (maybe.bool, maybe.int, maybe.int8, maybe.float, maybe.double) = (false, 0, -1, 0, 0)
            (maybe.decimal, maybe.date, maybe.data, maybe.string) = (0, now, Data(), "")
            (maybe.url, maybe.uuid, maybe.suit) = (URL(string: "x"), uuid, .spades)
            (maybe.number, maybe.nsdecimal, maybe.nsuuid) = (
                3, NSDecimalNumber(string: "2.5"), NSUUID(uuidString: uuid.uuidString)
            )
        })
        #expect(maybe.bool == false && maybe.int == 0 && maybe.int8 == -1 && maybe.float == 0 && maybe.double == 0)
        #expect(maybe.decimal == 0 && maybe.date == now && maybe.data == Data() && maybe.string == "")
        #expect(maybe.url == URL(string: "x") && maybe.uuid == uuid && maybe.suit == .spades && maybe.number == 3)
        #expect(maybe.nsdecimal == NSDecimalNumber(string: "2.5") && maybe.nsuuid?.uuidString == uuid.uuidString)
        #expect(
            try test.stack.fetchCount(From<Maybe>().where { $0.$bool == nil || $0.$date == nil || $0.$string == nil })
                == 0)
        try test.stack.perform(synchronous: { transaction in
            let maybe = try #require(transaction.edit(maybe))
            (maybe.bool, maybe.int, maybe.int8, maybe.float, maybe.double) = (nil, nil, nil, nil, nil)
            (maybe.decimal, maybe.date, maybe.data, maybe.string) = (nil, nil, nil, nil)
            (maybe.url, maybe.uuid, maybe.suit) = (nil, nil, nil)
            (maybe.number, maybe.nsdecimal, maybe.nsuuid) = (nil, nil, nil)
        })
        #expect(isEmpty())
    }

    @Test(.pins("FLD-50"), arguments: TestBackend.allCases)
    func `NaN is refused when saving`(_ backend: TestBackend) throws {
        let test = try makeStack(backend)
        let changes: [(String, (Box) -> Void)] = [
            ("double", { $0.double = .nan }), ("decimal", { $0.decimal = .nan }),
            ("float", { $0.float = .nan }), ("cgfloat", { $0.cgfloat = .nan }),
            ("nsdecimal", { $0.nsdecimal = .notANumber }),
            ("date", { $0.date = Date(timeIntervalSinceReferenceDate: .nan) }),
            ("nsdate", { $0.nsdate = NSDate(timeIntervalSinceReferenceDate: .nan) }),
        ]
        for (name, change) in changes {
            let error = #expect(throws: CoreStoreError.self) {
                try test.stack.perform(synchronous: { change($0.create(Into<Box>())) })
            }
            #expect(
                error?.storageError?.message
                    == "'Box.\(name)' is not a number (NaN) and cannot be saved. Use an optional field."
            )
        }
        #expect(try test.stack.fetchCount(From<Box>()) == 0)
    }

    @Test(.pins("FLD-50"), arguments: TestBackend.allCases)
    func `an integer field of type NSNumber drops the fraction of a number`(_ backend: TestBackend) throws {
        let test = try makeStack(backend)
        try test.stack.perform(synchronous: { transaction in
            let box = transaction.create(Into<Box>())
            box.number = 2.75
            box.nsdecimal = NSDecimalNumber(value: 3)
            let other = transaction.create(Into<Box>())
            other.number = NSDecimalNumber(string: "-7.9")
        })
        let boxes = try test.stack.fetchAll(From<Box>().orderBy(.descending(\.$number)))
        #expect(boxes.map(\.number) == [2, -7])
        #expect(boxes[0].nsdecimal == 3)
    }

    @Test(.pins("FLD-52"), arguments: TestBackend.allCases)
    func `a UUID is stored as a lower-case string`(_ backend: TestBackend) throws {
        let test = try makeStack(backend)
        let uuid = try #require(UUID(uuidString: "ABCDEFAB-CDEF-4BCD-8FAB-CDEFABCDEFAB"))
        try test.stack.perform(synchronous: { transaction in
            let box = transaction.create(Into<Box>())
            box.uuid = uuid
            box.nsuuid = try #require(NSUUID(uuidString: uuid.uuidString))
        })
        let text = "abcdefab-cdef-4bcd-8fab-cdefabcdefab"
        #expect(try test.stack.queryValue(From<Box>().select(String.self, .attribute(\.$uuid))) == text)
        #expect(try test.stack.queryValue(From<Box>().select(String.self, .attribute(\.$nsuuid))) == text)
        #expect(try test.stack.queryValue(From<Box>().select(UUID.self, .attribute(\.$uuid))) == uuid)
        #expect(try test.stack.fetchCount(From<Box>().where(Where("uuid", isEqualTo: text))) == 1)
        #expect(try test.stack.fetchCount(From<Box>().where(Where("uuid", isEqualTo: text.uppercased()))) == 1)
    }
}
