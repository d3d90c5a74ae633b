import CofferStorage
import Foundation
import Testing

/// Values as JSON and as text, and comparisons of values.
struct ValueTests {
    private static let id = ObjectID(
        space: KeySpace(store: UUID(uuidString: "2F6C1A5E-0B1D-4C3A-9E57-0A1B2C3D4E5F") ?? UUID(), entityName: "Dog"),
        key: -3)

    /// Each value with its JSON and its text.
    private static let all: [(value: Value, json: String, text: String)] = [
        (.null, "{\"null\":true}", "nil"),
        (.boolean(true), "{\"boolean\":true}", "1"), (.boolean(false), "{\"boolean\":false}", "0"),
        (.integer(.min), "{\"integer\":-9223372036854775808}", "-9223372036854775808"),
        (.double(0.1), "{\"double\":4591870180066957722}", "0.1"),
        (.double(-.infinity), "{\"double\":18442240474082181120}", "-inf"),
        (.decimal(Decimal(string: "-12.50") ?? 0), "{\"decimal\":\"-12.5\"}", "-12.5"),
        (.text("a \"b\" \\"), #"{"text":"a \"b\" \\"}"#, #""a \"b\" \\""#),
        (.blob(Data([0, 255])), "{\"blob\":\"AP8=\"}", "<2 bytes>"),
        (.date(0), "{\"instant\":0}", "2001-01-01 00:00:00 +0000"),
        (
            .object(id), "{\"object\":\"coffer://2F6C1A5E-0B1D-4C3A-9E57-0A1B2C3D4E5F/Dog/-3\"}", "Dog#-3"
        ),
    ]

    @Test func `a value is an object with one member in JSON`() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        for (value, json, _) in Self.all {
            #expect(String(decoding: try encoder.encode(value), as: UTF8.self) == json)
            #expect(try JSONDecoder().decode(Value.self, from: Data(json.utf8)) == value)
        }
    }

    @Test(arguments: [
        "{}", "{\"integer\":1,\"null\":true}", "{\"word\":1}", "{\"integer\":\"1\"}",
        "{\"integer\":9223372036854775808}",
        "{\"decimal\":\"one\"}", "{\"object\":\"coffer://no-store/Dog/1\"}", "[]", "1",
    ])
    func `invalid JSON for a value throws`(_ json: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Value.self, from: Data(json.utf8)) }
    }

    @Test func `a value is described in the syntax of format strings`() {
        for (value, _, text) in Self.all { #expect(value.description == text) }
    }

    @Test func `values of different cases are never equal`() {
        for (i, one) in Self.all.enumerated() {
            for (j, other) in Self.all.enumerated() { #expect((one.value == other.value) == (i == j)) }
        }
        #expect(Value.integer(1) != .double(1) && Value.integer(1) != .boolean(true))
    }

    @Test func `strings are compared byte for byte, and equal values have equal hashes`() {
        #expect("é" == "e\u{301}")
        #expect(Value.text("é") != .text("e\u{301}"))
        let texts = Set<Value>([.text("é"), .text("e\u{301}"), .text("\u{E9}")])
        #expect(texts.count == 2)
        let decimals = Set<Value>([.decimal(Decimal(string: "1.50") ?? 0), .decimal(Decimal(string: "1.5") ?? 0)])
        #expect(decimals.count == 1)
        #expect(Set<Value>([.double(0), .double(-0.0)]).count == 1)
    }
}
