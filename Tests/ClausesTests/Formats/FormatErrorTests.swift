import CofferClauses
import Foundation
import TestSupport
import Testing

/// A format string with a mistake, its arguments, and the column and message of the error.
struct Mistake: CustomTestStringConvertible {
    let format: String
    let arguments: [any Sendable]
    let column: Int
    let message: String

    init(_ format: String, _ arguments: any Sendable..., column: Int, _ message: String) {
        self.format = format
        self.arguments = arguments
        self.column = column
        self.message = message
    }

    var testDescription: String { format }
}

/// A type that cannot be stored.
struct Unstored {}

struct FormatErrorTests {
    @Test(
        .pins("CLS-27"),
        arguments: [
            Mistake("", column: 1, "expected a value, found the end"),
            Mistake("age > ", column: 7, "expected a value, found the end"),
            Mistake("1", column: 2, "expected a comparison, such as ==, of this value, found the end"),
            Mistake("a == 1 AND 0 || 1", column: 14, "expected a comparison, such as ==, of this value, found '||'"),
            Mistake("$a.$b > 1", column: 4, "expected a key, found '$'"),
            Mistake("? = 'ABC'", column: 1, "expected a value or an operator, found '?'"),
            Mistake("age === 25", column: 7, "expected a value, found '='"),
            Mistake("a == 1 == 2", column: 8, "expected AND, OR or the end, found '=='"),
            Mistake("a == 1 b", column: 8, "expected AND, OR or the end, found 'b'"),
            Mistake("a CONATINS 0", column: 3, "expected a comparison, such as ==, of this value, found 'CONATINS'"),
            Mistake("x NOT IN %@", 1, column: 3, "expected a comparison, such as ==, of this value, found 'NOT'"),
            Mistake("(a == 1", column: 8, "expected ')', found the end"),
            Mistake("1 + (a == 1) > 2", column: 5, "expected a value, found a condition"),
            Mistake("name == 'Ann", column: 9, "expected a quote at the end of the string that begins here"),
            Mistake(
                #"name == '\u12'"#, column: 10,
                "expected four hexadecimal digits of a character after '\\u', found '\\'"),
            Mistake(
                "size == 3", column: 1,
                "expected a value (a key that is a reserved word is written #size), found 'size'"),
            Mistake("a.first == 3", column: 3, "expected a key (a reserved word is written #first), found 'first'"),
            Mistake(
                "größe == 3", column: 3,
                "expected a value or an operator (pass keys with such letters as %K), found 'ö'"
            ),
            Mistake(
                "name LIKE[cx] 'a'", column: 12, "expected the letters c, d, n, l or w between the brackets, found 'x'"),
            Mistake("name LIKE[c 'a'", column: 13, "expected ']' after the options of an operator, found a string"),
            Mistake("%k == 1", 1, column: 1, "expected a placeholder, such as %@, %d or %K, found '%k'"),
            Mistake("%K == %@", "a", column: 7, "expected an argument for this placeholder (arguments: 1), found '%'"),
            Mistake("%K == 1", 3, column: 1, "expected argument 1 to be a key path, as a string, found '%K'"),
            Mistake("%K == 1", "a..b", column: 1, "expected argument 1 to be a key path, as a string, found '%K'"),
            Mistake(
                "a == %@", Unstored(), column: 6,
                "expected argument 1 to be a value, a collection of values or an object, not Unstored, found '%'"),
            Mistake(
                "a == %@", Double.nan, column: 6,
                "expected argument 1 to be a value, a collection of values or an object, not Double, found '%'"),
            Mistake(
                "modulus:by:(1) == 1", column: 14,
                "expected ',' before another of the 2 arguments of 'modulus:by:', found ')'"),
            Mistake("SUBQUERY(a, b, c == 1).@count == 1", column: 13, "expected a variable, such as $x, found 'b'"),
            Mistake("a == 1e999", column: 6, "expected a number that a double can hold, found a number"),
            Mistake("ANY a", column: 6, "expected a comparison, such as ==, found the end"),
        ])
    func `a syntax error names its column and the expected syntax`(_ mistake: Mistake) {
        let error = #expect(throws: PredicateFormatError.self) {
            try PredicateFormat(mistake.format, argumentArray: mistake.arguments)
        }
        #expect(error?.column == mistake.column)
        #expect(
            error?.description
                == "The format string '\(mistake.format)' is wrong at column \(mistake.column): \(mistake.message)."
        )
    }

    @Test(
        .pins("CLS-27"),
        arguments: [
            ("uppercse:(name) == 'A'", 1, "uppercse:", "uppercase:"), ("1 < sm(ages)", 5, "sm", "sum:"),
            ("a == 1 AND modulo:by:(a, 2) == 1", 12, "modulo:by:", "modulus:by:"), ("Max2(a) == 1", 1, "Max2", "max:"),
            ("SUBQERY(pets, $p, $p.age > 3).@count == 1", 1, "SUBQERY", "SUBQUERY"),
            ("a > TERNERY(b == 1, 2, 3)", 5, "TERNERY", "TERNARY"),
        ])
    func `an unknown function is refused with the nearest function name`(
        _ format: String, _ column: Int, _ name: String, _ meant: String
    ) {
        let error = #expect(throws: PredicateFormatError.self) { try PredicateFormat(format) }
        #expect(error?.column == column)
        let place = "The format string '\(format)' is wrong at column \(column)"
        #expect(error?.description == "\(place): there is no function '\(name)'. Did you mean '\(meant)'?")
    }

    @Test(
        .pins("CLS-27"),
        arguments: ["unknown(1) == 1", "foo:(a) == 1", "a == 1 OR unknown() > 2", "unknown:by:(a, 2) == 1"])
    func `an unknown function without a similar name is refused with a list of all functions`(_ format: String) throws {
        let error = try #require(throws: PredicateFormatError.self) { try PredicateFormat(format) }
        #expect(error.description.contains(" is wrong at column \(error.column): there is no function '"))
        let functions = "The functions are 'abs:', 'add:to:', 'average:', 'bitwiseAnd:with:', "
        #expect(error.description.contains("'. \(functions)"))
        #expect(error.description.hasSuffix("'uppercase:'."))
    }

    @Test func `a format string that nests too deeply is refused within a megabyte of stack`() async throws {
        let units = [
            "((((", "NOT NOT ", "!!", "- - ", "~~", "{{", "-(", "a[a[", "SUBQUERY(a,$x,", "TERNARY(a==", "abs:(",
            "$a:=", "1+(", "a==1 OR (", "CAST(CAST(", "ANY (", "FUNCTION(", "TERNARY(", "a+b*c**(", "1+", "SUBQUERY(",
        ]
        try await onSmallStack {
            for unit in units {
                let error = #expect(throws: PredicateFormatError.self) {
                    try PredicateFormat(String(repeating: unit, count: 50_000))
                }
                #expect(error?.expected == "a condition of at most 64 levels", "\(unit)")
            }
        }
    }

    @Test func `the deepest allowed format string is parsed, printed and compared in a megabyte of stack`() async throws
    {
        func nested(_ open: String, _ core: String, _ close: String = "", _ count: Int = 61) -> String {
            String(repeating: open, count: count) + core + String(repeating: close, count: count)
        }
        let formats = [
            nested("(", "a == 1", ")"), nested("1 + (", "1", ")") + " == a", nested("NOT (", "a == 1", ")"),
            nested("a == 1 OR (b == 1 AND (", "a == 1", "))", 31), nested("{", "1", "}") + " == a",
            nested("1 + ", "a") + " == a", nested("-", "a") + " == a", nested("abs:(", "a", ")") + " == a",
            nested("a[", "a", "]") + " == a", nested("SUBQUERY(a, $x, ", "a == 1", ").@count == 1", 20),
            nested("$a := ", "1") + " == a",
        ]
        try await onSmallStack {
            for format in formats {
                let condition = try PredicateFormat(format)
                let again = try PredicateFormat(condition.description)
                #expect(again == condition && again.hashValue == condition.hashValue)
                _ = try? condition.evaluate(with: ["a": 1])
                _ = Where<Dog>(format: condition)
            }
        }
    }

    private func onSmallStack(_ body: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            let thread = Thread { done.resume(with: Result { try body() }) }
            // A sanitizer's frames are several times as large.
            let isSanitized = ProcessInfo.processInfo.environment["COFFER_SANITIZER"] != nil
            thread.stackSize = isSanitized ? 1 << 24 : 1 << 20
            thread.start()
        }
    }

    @Test func `a path of more than 64 keys is refused`() throws {
        let path = { Array(repeating: "a", count: $0).joined(separator: ".") }
        #expect(try PredicateFormat("\(path(64)) == nil").evaluate(with: ["b": 1]))
        let formats: [(String, [Any])] = [
            ("\(path(300_000)) == 1", []), ("b == %K", [path(65)]), ("b.%K == 1", [path(64)]),
            ("$b.\(path(65)) == 1", []),
        ]
        for (format, arguments) in formats {
            let error = #expect(throws: PredicateFormatError.self) {
                try PredicateFormat(format, argumentArray: arguments)
            }
            #expect(error?.expected == "a path of at most 64 keys")
        }
    }

    @Test func `a format string over 1048576 bytes is refused, and a long flat condition is parsed`() throws {
        let terms = Array(repeating: "a == 1", count: 50_000)
        let condition = try PredicateFormat(terms.joined(separator: " OR "))
        #expect(condition == .or(Array(repeating: try PredicateFormat("a == 1"), count: 50_000)))
        let error = #expect(throws: PredicateFormatError.self) {
            try PredicateFormat((terms + terms + terms).joined(separator: " OR "))
        }
        #expect(error?.expected == "a format string of at most 1048576 bytes")
        #expect((error?.description.count ?? .max) < 300)
    }
}
