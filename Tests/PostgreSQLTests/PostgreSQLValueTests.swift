import CofferStorage
import Foundation
import TestSupport
import Testing

@testable import CofferPostgreSQL

struct PostgreSQLValueTests {
    private func kept(_ text: String) -> [UInt8] {
        var (text, bytes) = (text, [UInt8]())
        text.withUTF8 { PostgreSQLText.append($0, to: &bytes) }
        return bytes
    }

    private static let texts = ["", "a", "\u{0}", "\u{1}", "\u{2}", "\u{3}", "\u{4}", "é"].flatMap { first in
        ["", "\u{0}", "\u{1}", "\u{2}", "\u{3}", "a"].flatMap { second in
            ["", "\u{0}", "\u{2}", "\u{3}"].map { first + second + $0 }
        }
    }

    @Test func `a string is read back unchanged and is stored without zero bytes`() {
        for text in Self.texts {
            let bytes = kept(text)
            #expect(!bytes.contains(0))
            let read = bytes.withUnsafeBytes { PostgreSQLText.string($0) }
            #expect(Array(read.utf8) == Array(text.utf8))
        }
    }

    @Test func `stored strings compare, begin, end and contain like the original strings`() {
        func contains(_ a: [UInt8], _ b: [UInt8]) -> Bool {
            b.count <= a.count && (0...(a.count - b.count)).contains { a[$0...].starts(with: b) }
        }
        func relations(_ a: [UInt8], _ b: [UInt8]) -> [Bool] {
            [
                a.lexicographicallyPrecedes(b), a.starts(with: b), a.reversed().starts(with: b.reversed()),
                contains(a, b),
            ]
        }
        let pairs = Self.texts.flatMap { a in Self.texts.map { (a, $0) } }
        let wrong = pairs.filter { a, b in relations(Array(a.utf8), Array(b.utf8)) != relations(kept(a), kept(b)) }
        #expect(wrong.isEmpty)
    }

    @Test(arguments: [
        "0", "1", "-1", "10", "10000", "100000000", "0.1", "-0.0001", "12345.6789", "9223372036854775808",
        "99999999999999999999999999999999999999", "-0.00000000000000000000000000000000000001", "1e30", "1e-30",
        "12345678901234567890.123456789012345678", "100000000000000000000000000000000000000",
    ])
    func `a decimal is read back unchanged`(_ text: String) throws {
        let decimal = try #require(Decimal(string: text))
        var bytes: [UInt8] = []
        PostgreSQLNumeric.append(decimal, to: &bytes)
        #expect(bytes.withUnsafeBytes { PostgreSQLNumeric.decimal($0) } == decimal)
    }

    @Test(.enabled(if: Postgres.url != nil, "set COFFER_POSTGRES_URL"))
    func `the server refuses a decimal that is NaN and was not checked before`() throws {
        let connection = try PostgreSQLConnection(
            PostgreSQLAddress(Postgres.url ?? "", schema: nil), PostgreSQLConfiguration())
        let error = #expect(throws: StorageError.self) {
            try connection.query("SELECT $1", PostgreSQLParameters([.decimal(.nan)]))
        }
        #expect(error?.code == .invalidValue)
    }

    @Test func `a number with too many digits and damaged bytes are not decoded as a decimal`() {
        var bytes: [UInt8] = []
        for word in [12, 11, 0, 0] + [Int](repeating: 1234, count: 12) { bytes.append(bigEndian: Int16(word)) }
        #expect(bytes.withUnsafeBytes { PostgreSQLNumeric.decimal($0) } == nil)
        let cut: [UInt8] = [0, 1, 0]
        #expect(cut.withUnsafeBytes { PostgreSQLNumeric.decimal($0) } == nil)
        let damaged: [UInt8] = [0, 1, 0, 0, 0, 0, 0, 0, 255, 255]
        #expect(damaged.withUnsafeBytes { PostgreSQLNumeric.decimal($0) } == nil)
    }
}
