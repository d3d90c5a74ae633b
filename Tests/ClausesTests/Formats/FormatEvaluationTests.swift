import CofferClauses
import Foundation
import Testing

struct FormatEvaluationTests {
    private static let ann: [String: any Sendable] = [
        "name": "Ann", "age": 30, "height": 1.75, "nick": NSNull(), "born": Date(timeIntervalSinceReferenceDate: 60),
        "pets": [
            ["name": "Rex", "age": 3, "toys": [["kind": "ball"], ["kind": "bone"]]] as [String: any Sendable],
            ["name": "Béla", "age": 9, "toys": [[String: any Sendable]]()] as [String: any Sendable],
            ["name": "Cy", "age": NSNull(), "toys": [["kind": "ball"]]] as [String: any Sendable],
        ] as [[String: any Sendable]],
        "tags": ["a": 1, "b": 2], "balance": Decimal(1) / 10,
    ]

    @Test(arguments: [
        "name == 'Ann' AND age = 30 AND nick == nil AND missing == nil",
        "name BEGINSWITH 'A' AND name ENDSWITH 'n' AND name CONTAINS 'nn' AND 'nn' IN name",
        "NOT name BEGINSWITH '' AND NOT name CONTAINS '' AND name LIKE '*' AND NOT name LIKE '??'",
        "name BEGINSWITH[c] 'aN' AND name ==[c] 'ANN' AND name !=[cd] 'Änne' AND name <=[c] 'ann'",
        "ANY pets.name ==[d] 'Bela' AND ANY pets.name LIKE[cd] 'B?LA' AND NOT ANY pets.name == 'Bela'",
        "name MATCHES 'A.n' AND name MATCHES[c] 'a(n|nn)' AND NOT name MATCHES 'An'",
        "name ==[n] 'Ann' AND NOT name ==[cn] 'ann'",
        "name IN[c] {'ANN', 'Ben'} AND NOT name IN {'ANN'} AND NOT nick IN {'x'} AND nick IN {nil}",
        "age BETWEEN {30, 31} AND height BETWEEN {1, 2} AND NOT nick BETWEEN {1, 2}",
        "NOT nick > 1 AND NOT nick <= 1 AND nick != 42 AND NOT nick LIKE 'x'",
        "missing.@count == nil AND nick.@sum.age == nil AND missing.toys.@count == nil AND NOT missing.@count == 0",
        "pets.@count == 3 AND pets[SIZE] == 3 AND pets[FIRST].name == 'Rex' AND pets[-1 + 3].name == 'Cy'",
        "pets.@sum.age == 12 AND pets.@avg.age == 6 AND pets.@max.age == 9 AND pets.@min.age == 3",
        "@sum.pets.age == 12 AND pets.toys.@count == 3 AND max:(pets.age) == 9",
        "pets.toys.@distinctUnionOfObjects.kind == {'ball', 'bone'} AND pets.@unionOfObjects.name[LAST] == 'Cy'",
        "ALL pets.toys.kind IN {'ball', 'bone'} AND NONE pets.age > 9 AND SOME pets.age == nil",
        "SUBQUERY(pets, $p, $p.age > 2 AND ANY $p.toys.kind == 'bone').@count == 1",
        "SUBQUERY(pets, $p, SUBQUERY($p.toys, $t, $t.kind == 'ball' AND $p.name != name)[SIZE] > 0).@count == 2",
        "pets.@firstObject.name == 'Rex' AND pets.@lastObject.age == nil",
        "'Ann' IN {name, 1} AND {1, 2} CONTAINS 2 AND tags CONTAINS 2 AND tags['a'] == 1 AND tags.@allKeys == {'a', 'b'}",
        "age + 1 == 31 AND age / 4 == 7 AND age / 4.0 == 7.5 AND age ** 2 == 900 AND -age == -30",
        "age / 0 == nil AND modulus:by:(age, 7) == 2 AND abs:(-age) == 30 AND sqrt:(900) == age",
        "9223372036854775807 + 1 == 9223372036854775808.0 AND 2 ** 3 ** 2 == 64 AND 7 & 3 | 8 == 11 AND ~0 == -1",
        "balance + balance == CAST('0.2', 'NSDecimalNumber') AND balance * 3 < 0.31",
        "median:({3, 1, 2}) == 2 AND mode:({1, 2, 2}) == {2} AND stddev:({2, 4}) == 1 AND count:(pets) == 3 AND sum:(1, 2) == 3",
        "sum:({9223372036854775807, 1, -1}) == 9223372036854775807 AND average:({1, 0.5}) == 0.75 AND sum:({1, 0.5}) == 1.5",
        "sum:(balance, 2) == balance + 2 AND sum:(balance, 0.5) == balance + 0.5 AND median:({1, 2}) == 1.5",
        "uppercase:(name) == 'ANN' AND lowercase:(name) == 'ann' AND length:(name) == 3 AND canonical:('Éß') == 'eß'",
        "floor:(height) == 1 AND ceiling:(height) == 2 AND trunc:(-1.5) == -1 AND exp:(0) == 1 AND ln:(1) == 0",
        "born == CAST(60, 'NSDate') AND CAST(born, 'NSNumber') == 60 AND born < now() AND CAST('7', 'NSNumber') == 7",
        "TERNARY(age > 18, 'grown', 'young') == 'grown' AND ($x := 2) + $x == 4",
        "{1, 2} UNION {2, 3} == {1, 2, 3} AND {1, 2} INTERSECT {2, 3} == {2} AND {1, 2} MINUS {2} == {1}",
        "SELF.name == name AND SELF.self.name == name AND random() < 1 AND random:(3) < 3",
        "ANY nick > 3 OR ALL nick > 3", "ALL {} > 3 AND NONE {} > 3 AND NOT ANY {} > 3",
        "1 == 1.0 AND 1 == TRUE AND '1' != 1",
    ])
    func `a condition holds for a matching object, and its negation does not`(_ format: String) throws {
        let condition = try PredicateFormat(format)
        #expect(try condition.evaluate(with: Self.ann))
        #expect(try !PredicateFormat("NOT (\(format))").evaluate(with: Self.ann))
    }

    @Test(arguments: [
        ("name < 3", "< cannot order a string and a number."),
        ("age BETWEEN {1, 2, 3}", "BETWEEN needs a collection of two values on its right side."),
        ("age LIKE 'x'", "LIKE needs strings, not a number and a string."),
        ("ANY age == 1", "ANY needs a collection on its left side, not a number."),
        ("age IN 3", "IN needs strings, not a number and a number."),
        ("name MATCHES '('", "The right side of MATCHES is not a regular expression."),
        ("name ==[l] 'x'", "==[l]: the options l and w depend on a language."),
        ("name + 1 == 2", "'add' needs numbers, not a string."),
        ("1.5 & 1 == 1", "'bitwiseAnd' needs whole numbers, not a number."),
        ("uppercase:(age) == 'x'", "'uppercase' needs strings, not a number."),
        ("pets[9] == nil", "The index must be a whole number below 3."),
        ("name[0] == nil", "An index needs a collection, not a string."),
        ("age.name == nil", "There is no key 'name' in a number."),
        ("$x == 1", "'$x' has no value."),
        ("SUBQUERY(age, $x, $x == 1)[SIZE] == 0", "SUBQUERY needs a collection, not a number."),
        ("pets.@middle == 1", "There is no operator '@middle'."),
        ("FUNCTION(name, 'hash') == 1", "The method 'hash' is not supported. Use a function of format strings."),
        ("FORMATSTRING('x') == 1", "There is no function 'FORMATSTRING'."),
        ("name UTI-CONFORMS-TO 'x'", "UTI-CONFORMS-TO needs types that only Apple's systems have."),
        ("CAST(name, 'NSDate') == nil", "CAST cannot convert a string to 'NSDate'."),
        ("max:({1, 'x'}) == 1", "Values without an order have no minimum and no maximum."),
    ])
    func `a condition that cannot be evaluated throws an error with the reason`(
        _ format: String, _ reason: String
    ) throws {
        let error = #expect(throws: FormatEvaluationError.self) {
            try PredicateFormat(format).evaluate(with: Self.ann)
        }
        #expect(error?.description == reason)
    }

    @Test func `an object without a value or keys is refused`() throws {
        let error = #expect(throws: FormatEvaluationError.self) {
            try PredicateFormat("TRUEPREDICATE").evaluate(with: Unstored())
        }
        #expect(
            error?.description == "The value to be evaluated has the type 'Unstored', which format strings do not "
                + "support."
        )
    }
}
