import CofferStorage
import Foundation

/// Generates random values of every kind: extreme values, and a few common values, so that equal values are frequent.
enum RandomValue {
    /// Values that a careless store would change.
    static func extremes(_ kind: ColumnKind) throws -> [Value] {
        switch kind {
        case .integer:
            [0, 1, -1, .max, .min, .max - 1, 1 << 53, (1 << 53) + 1, 1 << 31, -(1 << 31) - 1].map(Value.integer)
        case .reference: [1, .max].map(Value.integer)
        case .double:
            [
                0, -1, 0.1, 1 / 3, .pi, .infinity, -.infinity, .leastNonzeroMagnitude, -.leastNonzeroMagnitude,
                .leastNormalMagnitude, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .ulpOfOne, 1e300, 1e-300,
                9_007_199_254_740_994, 123_456_789.123_456_789, 9_223_372_036_854_775_808,
            ].map(Value.double)
        case .decimal:
            try [
                "0", "1", "-1", "0.1", "-0.1", "10", "9.99", "99999999999999999999999999999999999999",
                "-99999999999999999999999999999999999999", "12345678901234567890123456789012345678",
                "1234567890123456789.0123456789012345678", "0.12345678901234567890123456789012345678",
                "0.00000000000000000000000000000000000001", "-0.00000000000000000000000000000000000001",
                "9223372036854775808", "-9223372036854775809", "18446744073709551616.5", "1e30", "1e-30", "1e112",
                "1e113", "-1e127", "15e126", "1e-127",
                "-12345678901234567890123456789012345678e88", "12345678901234567890e-127",
            ].map(Value.decimal)
        case .boolean: [.boolean(true), .boolean(false)]
        case .date:
            [
                0, 1, -1, 0.000_001, -0.999_999, 0.1, 1 / 3, 785_000_000.123_456_7, 785_000_000.123_456_8,
                -63_114_076_800, 63_113_904_000, 9_223_372_036_854.775, 1e300, .leastNonzeroMagnitude,
                .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .infinity, -.infinity,
            ].map(Value.date)
        case .text: texts.map(Value.text)
        case .blob: blobs.map(Value.blob)
        }
    }

    private static let texts = [
        "", " ", "a", "A", "a ", " a", "'", "\"", "\\", "%", "_", "\u{0}", "a\u{0}b", "\u{0}\u{0}", "\n", "\r\n", "\t",
        "é", "e\u{301}", "ß", "ﬁ", "İ", "👩‍👩‍👧", "🇩🇪", "日本語", "עברית", "\u{FEFF}", "\u{10FFFF}", "\u{FFFD}", "NULL",
        "1", "1.0", "true", "x'00'", "$1", "{\"a\": 1}", "\\x00", "\\N", String(repeating: "long ", count: 50_000),
    ]

    private static let blobs = [
        Data(), Data([0]), Data([0, 0]), Data([255]), Data("text".utf8), Data("\\x00".utf8),
        Data((0...255).map { UInt8($0) }),
        Data((0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }),
    ]

    /// Any value of a kind.
    static func any(_ kind: ColumnKind, _ random: inout SeededGenerator) -> Value {
        switch kind {
        case .integer: .integer(Int64.random(in: .min ... .max, using: &random) >> Int64(random.int(0...63)))
        case .reference: .integer(Int64.random(in: 1 ... .max, using: &random))
        case .double: .double(double(&random))
        case .decimal: .decimal(decimal(&random))
        case .boolean: .boolean(random.chance(50))
        case .date: .date(double(&random))
        case .text: .text(text(&random))
        case .blob: .blob(Data((0..<random.int(0...64)).map { _ in UInt8.random(in: 0...255, using: &random) }))
        }
    }

    private static func double(_ random: inout SeededGenerator) -> Double {
        let number = Double(bitPattern: random.next())
        return number.isNaN ? 0.5 : number
    }

    private static func decimal(_ random: inout SeededGenerator) -> Decimal {
        var digits = (0..<random.int(1...38)).map { _ in "\(random.int(0...9))" }
        if random.chance(70) { digits.insert(".", at: random.int(1...digits.count)) }
        return Decimal(string: (random.chance(50) ? "-" : "") + digits.joined()) ?? 0
    }

    private static func text(_ random: inout SeededGenerator) -> String {
        var text = ""
        for _ in 0..<random.int(0...20) {
            let limit: UInt32 = random.chance(50) ? 0x7F : (random.chance(50) ? 0x7FF : 0x10FFFF)
            if let scalar = Unicode.Scalar(UInt32.random(in: 0...limit, using: &random)) {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// Returns a common value; if the data is wild, one value in four is hard to compare and compute.
    static func common(_ kind: ColumnKind, isWild: Bool, _ random: inout SeededGenerator) -> Value {
        guard isWild, random.chance(25), let values = wild[kind] else { return common(kind, &random) }
        return random.pick(values)
    }

    private static let wild: [ColumnKind: [Value]] = [
        .integer: [.max, .min, .max - 1, .min + 1, 1 << 53, (1 << 53) + 1, 1 << 62, 63, 64].map(Value.integer),
        .double: [
            .infinity, -.infinity, -0.0, 0.1, 9_007_199_254_740_992, 9_007_199_254_740_994, 9_223_372_036_854_775_808,
            -9_223_372_036_854_775_808, 1e300, -1e300, .leastNonzeroMagnitude, 1e-10, 0.5,
        ].map(Value.double),
        .decimal: [
            "0.1", "9223372036854775807", "9223372036854775808", "-9223372036854775809", "9007199254740993",
            "99999999999999999999999999999999999999", "0.00000000000000000000000000000000000001", "-0.5",
            "12345678901234567890.123456789012345678",
        ].compactMap { Decimal(string: $0).map(Value.decimal) },
        .date: [
            .infinity, -.infinity, 0, 0.1, 0.1.nextUp, 785_000_000.123_456_7, 785_000_000.123_456_7.nextUp, 1e300,
            .leastNonzeroMagnitude,
        ].map(Value.date),
        .text: [
            "a text of 15 byt", "a text of 15 bytes", "a text of 15 byteS", "a\u{0}", "\u{0}", "É", "e", "E", "ß", "SS",
            "ẞ", "Σ", "ς", "σ", "ı", "İ", "i", "I", "ø", "Å", "\u{212B}", "ﬁ", "각", "\u{1100}\u{1161}\u{11A8}",
            "\u{301}",
            "🇩🇪", "a\u{301}\u{323}", "*", "?", "\\", "\\*", "_", "[", "10", "9", "ǅ", "ŉ", "\u{1F80}", "が", "か\u{3099}",
        ].map(Value.text),
        .blob: [
            Data("a text of 15 bytes".utf8), Data("a text of 15 byteS".utf8), Data([0, 0]), Data([255, 255]),
        ].map(Value.blob),
    ]

    /// Returns one of a few values, so that equal values, neighbours and ties are common.
    static func common(_ kind: ColumnKind, _ random: inout SeededGenerator) -> Value {
        switch kind {
        case .integer: .integer(Int64(random.int(-3...6)))
        case .reference: .integer(Int64(random.int(1...20)))
        case .double: .double(Double(random.int(-6...12)) / 4)
        case .decimal: .decimal(Decimal(random.int(-6...12)) / 4)
        case .boolean: .boolean(random.chance(50))
        case .date: .date(Double(random.int(-3...6)) / 2)
        case .text:
            .text(random.pick(["", "a", "A", "b", "ab", "aB", "é", "e\u{301}", "Z", "z", "1", "%", "👩‍👧", "\u{FF5E}"]))
        case .blob: .blob(random.pick([Data(), Data([0]), Data([0, 1]), Data([255]), Data("a".utf8)]))
        }
    }
}
