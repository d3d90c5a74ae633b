import CofferStorage
import Foundation
import Testing

/// Dates as values.
struct DateValueTests {
    private static let seconds: [Double] = [
        0, 1.5, 785_000_000.123_456_7, -63_114_076_800, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity,
        -.infinity,
    ]

    @Test(arguments: seconds)
    func `a date is encoded without loss`(_ seconds: Double) throws {
        let data = try JSONEncoder().encode(Value.date(seconds))
        #expect(String(decoding: data, as: UTF8.self) == "{\"instant\":\(seconds.bitPattern)}")
        #expect(try JSONDecoder().decode(Value.self, from: data) == .date(seconds))
    }

    @Test func `a date that was encoded as microseconds is decoded`() throws {
        func decoded(_ text: String) throws -> Value { try JSONDecoder().decode(Value.self, from: Data(text.utf8)) }
        #expect(try decoded("{\"date\":1500000}") == .date(1.5))
        #expect(try decoded("{\"date\":785000000123457}") == .date(785_000_000.123_457))
        #expect(try decoded("{\"date\":-9223372036854775808}") == .date(-9_223_372_036_854.775_808))
    }

    @Test func `a date is read from a row unchanged`() throws {
        for seconds in Self.seconds {
            let row = try #require(Row.make(entity: 0, key: 1, version: 1, values: [.date(seconds)], kinds: [.date]))
            #expect(row.value(0, .date) == .date(seconds) && row.double(0).bitPattern == seconds.bitPattern)
        }
        #expect(Row.make(entity: 0, key: 1, version: 1, values: [.double(1)], kinds: [.date]) == nil)
        #expect(Row.make(entity: 0, key: 1, version: 1, values: [.date(1)], kinds: [.double]) == nil)
    }

    @Test func `dates one bit apart are not equal`() {
        let seconds = 785_000_000.123_456_7
        #expect(Value.date(seconds) != .date(seconds.nextUp))
        #expect(Value.date(Date(timeIntervalSinceReferenceDate: seconds)) == .date(seconds))
        #expect(Value.date(-0.0) == .date(0))
    }

    @Test func `a date that Foundation cannot describe is described by its seconds`() {
        func words(_ seconds: Double) -> String { Date.text(ofSeconds: seconds) }
        #expect(words(0) == "2001-01-01 00:00:00 +0000")
        #expect(words(785_000_000.5) == "2025-11-16 15:33:20 +0000")
        #expect([1e300, -.infinity, .nan].map(words) == ["1e+300", "-inf", "nan"].map { $0 + " s since 2001" })
    }
}
