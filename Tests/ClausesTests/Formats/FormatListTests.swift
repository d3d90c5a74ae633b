import CofferClauses
import CofferSchema
import CofferStorage
import CofferStorageTools
import Foundation
import TestSupport
import Testing

/// Lists of values in format strings: as literals, as arguments, and in requests.
struct FormatListTests {
    private enum Size: String, ImportableAttributeType, FieldStorableType {
        case small, large
    }

    /// Returns the members of the list on the right side of `a IN …`.
    private static func members(_ format: PredicateFormat) -> [ExpressionFormat]? {
        guard case .comparison(let comparison) = format, case .collection(let members) = comparison.right else {
            return nil
        }
        return members
    }

    private static func values(_ format: String, _ arguments: Any...) throws -> [Value] {
        let format = try PredicateFormat(format, argumentArray: arguments)
        let members = try #require(Self.members(format))
        return try members.map { member in
            guard case .constant(let constant) = member else {
                throw PredicateFormatErrorInTest(member: member.description)
            }
            return constant.value
        }
    }

    private struct PredicateFormatErrorInTest: Error {
        let member: String
    }

    // MARK: Literals

    @Test(
        arguments: [
            ("{}", []), ("{1}", [.integer(1)]), ("{ 1 ,-2,- 3 }", [.integer(1), .integer(-2), .integer(-3)]),
            ("{9223372036854775807, -9223372036854775808}", [.integer(.max), .integer(.min)]),
            ("{0x10, 0b11, 0o7, 007}", [.integer(16), .integer(3), .integer(7), .integer(7)]),
            ("{1.5, .5, 1e3, -2E-1}", [.double(1.5), .double(0.5), .double(1000), .double(-0.2)]),
            (
                #"{'a', "b'", 'c\'d', 'e%%f', 'g%h', 'é', ''}"#,
                ["a", "b'", "c'd", "e%f", "g%h", "é", ""].map(Value.text)
            ),
            ("{1, 'a', TRUE, NULL}", [.integer(1), .text("a"), .boolean(true), .null]),
        ] as [(String, [Value])])
    func `a list of literals has the values of its members`(_ list: String, _ expected: [Value]) throws {
        #expect(try Self.values("a IN \(list)") == expected)
    }

    @Test func `numbers beyond 64 bits are decimals`() throws {
        let digits = "123456789012345678901234567890"
        let decimal = try #require(Decimal(string: digits))
        #expect(
            try Self.values("a IN {18446744073709551616, \(digits), -\(digits)}").suffix(2) == [
                .decimal(decimal), .decimal(-decimal),
            ])
    }

    @Test(arguments: [
        ("{1 + 2, 3}", "{1 + 2, 3}"), ("{-1[0], 2}", "{-(1)[0], 2}"), ("{'a'.length, 2}", #"{"a".length, 2}"#),
        ("{-a, -(1), 1}", "{-a, -(1), 1}"), ("{{1, 2}, {'x'}}", #"{{1, 2}, {"x"}}"#), ("{1 ** 2}", "{1 ** 2}"),
    ])
    func `a list member that begins with a literal can be a longer expression`(_ list: String, _ printed: String) throws
    {
        #expect(try PredicateFormat("a IN \(list)").description == "a IN \(printed)")
    }

    @Test(
        arguments: [
            ("a IN {1", 8, "',' or '}'", "the end"), ("a IN {1 2}", 9, "',' or '}'", "a number"),
            ("a IN {1,}", 9, "a value", "'}'"), ("a IN {,1}", 7, "a value", "','"),
            ("a IN {1)", 8, "',' or '}'", "')'"),
            ("a IN {-}", 8, "a value", "'}'"), ("a IN {1x}", 8, "',' or '}'", "'x'"),
            ("a IN {'b}", 7, "a quote at the end of the string that begins here", nil),
        ] as [(String, Int, String, String?)])
    func `a syntax error in a list names its column and the expected syntax`(
        _ format: String, _ column: Int, _ expected: String, _ found: String?
    ) {
        let error = #expect(throws: PredicateFormatError.self) { try PredicateFormat(format) }
        #expect(error?.column == column)
        #expect(error?.expected == expected)
        #expect(error?.found == found)
    }

    @Test func `a list of 100,000 values keeps every value`() throws {
        let numbers = Array(0..<100_000)
        let list = try Self.values("a IN {" + numbers.map(String.init).joined(separator: ", ") + "}")
        #expect(list == numbers.map { .integer(Int64($0)) })
        #expect(try Self.values("a IN %@", numbers) == list)
    }

    // MARK: Arguments

    @Test func `a typed array and an untyped array with equal elements have the same values`() throws {
        let date = Date(timeIntervalSinceReferenceDate: 1.5)
        let id = try #require(UUID(uuidString: "0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0"))
        let lists: [(one: Any, other: [Any], values: [Value])] = [
            ([3, 1, 2], [3, 1, 2], [.integer(3), .integer(1), .integer(2)]),
            ([Int8(3), -1], [Int8(3), Int8(-1)], [.integer(3), .integer(-1)]),
            (["b", "a"], ["b", "a"], [.text("b"), .text("a")]),
            ([1.5, 2], [1.5, 2.0], [.double(1.5), .double(2)]),
            ([true, false], [true, false], [.boolean(true), .boolean(false)]),
            ([date], [date], [.date(1.5)]),
            ([id], [id], [.text("0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0")]),
            ([Decimal(7)], [Decimal(7)], [.decimal(7)]),
            ([Size.large, .small] as [Size], [Size.large, Size.small], [.text("large"), .text("small")]),
            ([1, nil] as [Int?], [1, Int?.none as Any], [.integer(1), .null]),
            (
                [ClausesModel.annID, ClausesModel.benID], [ClausesModel.annID, ClausesModel.benID],
                [
                    .object(ClausesModel.annID), .object(ClausesModel.benID),
                ]
            ),
            ([ClausesModel.ann], [ClausesModel.ann], [.object(ClausesModel.annID)]),
        ]
        for (one, other, values) in lists {
            #expect(try Self.values("a IN %@", one) == values, "\(one)")
            #expect(try Self.values("a IN %@", other as Any) == values, "\(other)")
        }
    }

    @Test func `a Foundation array has the values of its elements`() throws {
        #expect(try Self.values("a IN %@", NSArray(array: ["b", "a"])) == [.text("b"), .text("a")])
    }

    @Test func `the values of a set are sorted`() throws {
        let numbers = Set(-50..<50)
        #expect(try Self.values("a IN %@", numbers) == (-50..<50).map { .integer($0) })
        let texts = Set((0..<50).map { "t\($0)" })
        #expect(try Self.values("a IN %@", texts) == texts.sorted().map { .text($0) })
        let mixed: Set<AnyHashable> = ["b", 2, "a", 1]
        #expect(try Self.values("a IN %@", mixed) == [.integer(1), .integer(2), .text("a"), .text("b")])
    }

    @Test func `an array with NaN or an object without a value is refused`() {
        let lists: [Any] = [
            [1.0, .nan] as [Double], [Date(timeIntervalSinceReferenceDate: .nan)], Set([Double.nan]), [NSObject()],
            [Decimal.nan],
        ]
        for list in lists {
            #expect(throws: PredicateFormatError.self) { try PredicateFormat("a IN %@", list) }
        }
    }

    // MARK: Requests

    @Test func `the values of a list are compared like single values`() throws {
        let model = try Resolving()
        let age = try model.column("age", of: model.dog, .integer)
        #expect(try model.resolve(Where("age IN %@", [1, 2])) == .isIn(age, [.integer(1), .integer(2)]))
        #expect(
            try model.resolve(Where("age IN %@", [1.5, nil, 2])) == .isIn(age, [.double(1.5), .double(2)]),
            "The resolved list contains no null.")
        #expect(
            try model.resolve(Where("age IN {1, 2.5, TRUE}"))
                == .isIn(age, [.integer(1), .double(2.5), .boolean(true)]))
        #expect(
            model.refusal(Where("age IN %@", ([1, "a"] as [Any]) as Any))?.contains("compares an integer with a string")
                == true)
    }

    @Test func `objects of another store are left out of a list`() throws {
        let model = try Resolving()
        let master = try model.column("master", of: model.dog, .reference)
        let other = ObjectID(space: KeySpace(store: UUID(), entityName: "Person"), key: 7)
        let ids = [ClausesModel.annID, other, ClausesModel.benID]
        #expect(
            try model.resolve(Where("master IN %@", ids))
                == .isIn(master, [.integer(ClausesModel.annID.key), .integer(ClausesModel.benID.key)]))
    }
}
