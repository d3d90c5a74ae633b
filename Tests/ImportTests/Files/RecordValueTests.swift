import CofferRecords
import CofferStorage
import Foundation
import Testing

/// The values of the strings in a file, and the strings that are refused.
struct RecordValueTests {
    /// Returns the value of the key in the only record of a file.
    private func value(_ type: AttributeType, _ name: String, _ text: String, isUUID: Bool = false) throws -> Value {
        let field = RecordField(name: "key", type: type, isOptional: false, isUUID: isUUID)
        let file = try TextFile(name, name.hasSuffix("csv") ? "key\n\(text)\n" : "{\"key\": \(text)}")
        var reader = try RecordReader(file.records(), fields: [field])
        guard let record = try reader.next(), case .value(let value)? = try record.content.get().values.first else {
            return .null
        }
        return value
    }

    @Test(arguments: [
        ("2024-01-31T10:00:00Z", 728_388_000), ("2024-01-31T10:00:00.5+01:00", 728_384_400.5),
        ("2024-01-31T10:00:00-0530", 728_407_800), ("2024-01-31T10:00:00+01", 728_384_400),
        ("2024-02-29", 730_857_600), ("1500-02-28", -15_804_288_000), ("1500-02-28T00:00:00Z", -15_804_288_000),
        ("-1.5", -1.5), ("0.0", 0), ("+7", 7), ("1e3", 1_000),
    ])
    func `ISO 8601 dates and numbers of seconds are read as dates from CSV and JSON`(
        text: String, seconds: Double
    ) throws {
        #expect(try value(.dateAttributeType, "a.csv", text) == .date(seconds))
        #expect(try value(.dateAttributeType, "a.jsonl", "\"\(text)\"") == .date(seconds))
    }

    @Test(arguments: ["1e999", "true"])
    func `a value of JSON that is no date is refused`(text: String) throws {
        let refused = #expect(throws: RefusedRecord.self) { try value(.dateAttributeType, "a.jsonl", text) }
        #expect(refused?.key == "key" && refused?.reason.hasPrefix("Expected") == true, "\(refused?.reason ?? "")")
    }

    @Test(arguments: ["\"x\"", "true", "{}", "[]", "\"1.1\""])
    func `a value of JSON that is no decimal is refused with a reason`(text: String) throws {
        let refused = #expect(throws: RefusedRecord.self) { try value(.decimalAttributeType, "a.jsonl", text) }
        #expect(refused?.key == "key" && refused?.reason == "Expected to decode Decimal.", "\(refused?.reason ?? "")")
    }

    @Test func `a number in JSON is read as the seconds of a date`() throws {
        #expect(try value(.dateAttributeType, "a.jsonl", "2024") == .date(2_024))
    }

    @Test(arguments: [
        "2024-01-31T10:00:00Zgarbage", "2024-02-31", "2023-02-29", "1900-02-29", "2024-13-01", "2024-00-10",
        "2024-01-00", "2024-04-31T10:00:00Z", "2024-01-31T24:00:00Z", "2024-01-31T25:00:00Z", "2024-01-31T10:61:00Z",
        "2024-01-31T10:00:61Z", "2024-01-31T10:00:00", "2024-01-31T10:00:00.Z", "2024-01-31T10:00:00+25:00",
        "2024-1-31", "٢٠٢٤-٠١-٣١", "20240131", "2024", "nan", "0x1p3", "yesterday", "1e400",
    ])
    func `a string that is no date is refused by CSV and JSON`(text: String) throws {
        for (name, text) in [("a.csv", text), ("a.jsonl", "\"\(text)\"")] {
            let refused = #expect(throws: RefusedRecord.self) { try value(.dateAttributeType, name, text) }
            #expect(refused?.key == "key" && refused?.reason.hasPrefix("Expected a date: ISO 8601") == true)
        }
    }

    @Test(arguments: [
        ("1٢", "The content of the field is not a value"), ("1x", "The content of the field is not a value"),
        (String(repeating: "12", count: 20), "Expected a decimal number with at most 38 digits"),
        ("0.1" + String(repeating: "0", count: 40) + "1", "Expected a decimal number with at most 38 digits"),
        ("1e200", "Expected a decimal number with at most 38 digits"),
    ])
    func `a decimal that would lose digits is refused`(text: String, reason: String) throws {
        let refused = #expect(throws: RefusedRecord.self) { try value(.decimalAttributeType, "a.csv", text) }
        #expect(refused?.reason.hasPrefix(reason) == true, "\(refused?.reason ?? "")")
    }

    @Test(arguments: ["-0", "0.00", "-12.50", ".5", "5.", "+1e3", "00120e-3", "12345678901234567890123456789012345678"])
    func `a decimal is read with all of its digits`(text: String) throws {
        #expect(try value(.decimalAttributeType, "a.csv", text) == .decimal(Decimal(string: text) ?? .nan))
    }

    @Test(arguments: ["1e400", "-1e400", "1e-400", "0x1p3", "nan", "infinity", "1٢"])
    func `a number that a double cannot hold, and other notations, are refused`(text: String) throws {
        for type in [AttributeType.doubleAttributeType, .floatAttributeType] {
            #expect(throws: RefusedRecord.self) { try value(type, "a.csv", text) }
        }
    }

    @Test(arguments: ["a.csv", "a.jsonl"])
    func `a float field refuses finite numbers that a float cannot hold and accepts infinity`(name: String) throws {
        let refused = #expect(throws: RefusedRecord.self) { try value(.floatAttributeType, name, "1e39") }
        #expect(refused?.reason == "The value is out of the range of its type, float.")
        #expect(throws: RefusedRecord.self) { try value(.floatAttributeType, name, "1e-60") }
        #expect(try value(.floatAttributeType, name, "0e-60") == .double(0))
        let infinite = name == "a.csv" ? "-inf" : "\"-inf\""
        #expect(try value(.floatAttributeType, name, infinite) == .double(-.infinity))
        #expect(try value(.floatAttributeType, name, "0.1") == .double(Double(Float(0.1))))
    }

    @Test(arguments: [
        Data("\"\\ud800x\"".utf8), Data("\"\\udc00\"".utf8), Data([0x22, 0x61, 0xFF, 0x22]), Data("\"\\q\"".utf8),
    ])
    func `a string of JSON with an invalid escape or byte is refused`(text: Data) throws {
        for type in [AttributeType.stringAttributeType, .dateAttributeType] {
            let field = RecordField(name: "key", type: type, isOptional: false)
            let file = try TextFile(
                "a.jsonl", Data("{\"key\": ".utf8) + text + Data("}\n{\"key\": \"2024-01-31\"}".utf8))
            var reader = try RecordReader(file.records(), fields: [field])
            let refused = #expect(throws: RefusedRecord.self) { try reader.next()?.content.get() }
            let reason =
                type == .dateAttributeType
                ? "Expected a date: ISO 8601, such as 2024-01-31 or 2024-01-31T10:00:00Z, or seconds since 2001."
                : "The string has an invalid escape, a control character without an escape, or bytes that are not UTF-8."
            #expect(refused?.reason == reason)
            #expect(refused?.key == "key")
            #expect(try reader.next()?.content.get() != nil)
        }
    }

    @Test func `a Float property refuses a number that a Float cannot hold`() throws {
        struct Source: Decodable { var number: Float }
        let file = try TextFile("a.csv", "number\n1e39\n1.5\n")
        var reader = try RecordReader<Source>(file.records())
        let refused = #expect(throws: RefusedRecord.self) { try reader.next()?.content.get() }
        #expect(refused?.reason == "The number is out of the range of Float.")
        #expect(try reader.next()?.content.get().number == 1.5)
    }

    @Test func `an empty field is also a missing value for a boolean`() throws {
        struct Source: Decodable { var flag: Bool }
        let file = try TextFile("a.csv", "flag,more\n,1\n")
        var reader = try RecordReader<Source>(file.records())
        let refused = #expect(throws: RefusedRecord.self) { try reader.next()?.content.get() }
        #expect(refused?.reason == "Expected to decode Bool, but the field is empty.")
    }

    @Test(arguments: ["a.csv", "a.jsonl"])
    func `a UUID is read in lower case, and other strings are refused`(name: String) throws {
        func text(_ text: String) -> String { name == "a.csv" ? text : "\"\(text)\"" }
        let id = "6F3C6E1A-0000-4000-8000-00000000000A"
        #expect(try value(.stringAttributeType, name, text(id), isUUID: true) == .text(id.lowercased()))
        let refused = #expect(throws: RefusedRecord.self) {
            try value(.stringAttributeType, name, text("abc"), isUUID: true)
        }
        #expect(refused?.reason == "The string is not a UUID.")
    }
}
