import CofferClauses
import CofferStorage
import Foundation
import TestSupport
import Testing

/// A format string, its arguments, and the printed form of its condition.
struct FormatSample: CustomTestStringConvertible {
    let format: String
    let arguments: [any Sendable]
    let printed: String

    init(_ format: String, _ arguments: any Sendable..., prints printed: String? = nil) {
        self.format = format
        self.arguments = arguments
        self.printed = printed ?? format
    }

    var testDescription: String { format }
}

struct FormatParserTests {
    @Test(arguments: [
        FormatSample("a == 1"),
        FormatSample("a=1", prints: "a == 1"),
        FormatSample("a <> 1 aNd b=<2 && c => 3", prints: "a != 1 AND b <= 2 AND c >= 3"),
        FormatSample(
            "x = 'abc' or not x = 'xyz' and x != '123'",
            prints: #"x == "abc" OR ((NOT x == "xyz") AND x != "123")"#),
        FormatSample("!(a == 1 || b == 2)", prints: "NOT (a == 1 OR b == 2)"),
        FormatSample("((((a))) == (1))", prints: "a == 1"),
        FormatSample("(a + 1) * 2 > 3"),
        FormatSample("(a == 1 AND b == 2) AND c == 3"),
        FormatSample("truepredicate AND FALSEpredicate", prints: "TRUEPREDICATE AND FALSEPREDICATE"),
        FormatSample("some a.b=1 or none c in {1,2}", prints: "ANY a.b == 1 OR NONE c IN {1, 2}"),
        FormatSample("all age>20", prints: "ALL age > 20"),
        FormatSample("name LIKE [CD] 'a*'", prints: #"name LIKE[cd] "a*""#),
        FormatSample("name ==[c] 'a' AND a IN[dc] b", prints: #"name ==[c] "a" AND a IN[cd] b"#),
        FormatSample("age BETWEEN {1, 3}"),
        FormatSample(
            "type UTI-CONFORMS-TO 'public.image' OR type uti-equals 'x'",
            prints: #"type UTI-CONFORMS-TO "public.image" OR type UTI-EQUALS "x""#),
        FormatSample("self isKindOfClass: other", prints: "SELF isKindOfClass: other"),
    ])
    func `conditions are parsed and printed in their normal form`(_ sample: FormatSample) throws {
        try check(sample)
    }

    @Test(arguments: [
        FormatSample("1 << 3 > 1"),
        FormatSample("2 & 1 == 0"),
        FormatSample("2 | 1 ^ 3 & 4 << 5 + 6 * 7 ** 8 == 3"),
        FormatSample("((((((2 | 1) ^ 3) & 4) << 5) + 6) * 7) ** 8 == 3"),
        FormatSample("a + b + c == (a + b) + c", prints: "a + b + c == a + b + c"),
        FormatSample("a - (b - c) == a ** (b ** c)"),
        FormatSample("(self) ** 2 * 2 = 72", prints: "SELF ** 2 * 2 == 72"),
        FormatSample("-a == - 1", prints: "-a == -1"),
        FormatSample("-(1) == --1", prints: "-(1) == -(-1)"),
        FormatSample("-1[0] == (-1)[0]", prints: "-(1)[0] == (-1)[0]"),
        FormatSample("~a & -b == +c", prints: "~a & -b == c"),
        FormatSample("a-1 > -1 ** 2", prints: "a - 1 > -1 ** 2"),
        FormatSample("{1} union {2} minus b == c", prints: "{1} UNION {2} MINUS b == c"),
        FormatSample("union == minus AND #like like intersect", prints: "union == minus AND #like LIKE intersect"),
    ])
    func `operators group by precedence, and from left to right`(_ sample: FormatSample) throws {
        try check(sample)
    }

    @Test(arguments: [
        FormatSample("SELF.a.b == self", prints: "a.b == SELF"),
        FormatSample("a.@count == @sum.items.price"),
        FormatSample("view.#size.height == #size"),
        FormatSample("a.in == a.#in", prints: "a.#in == a.#in"),
        FormatSample("a[SIZE] == a[first] + a [ 1 + 1 ]", prints: "a[SIZE] == a[FIRST] + a[1 + 1]"),
        FormatSample("{1, {}, 'x'}[last] = {3}", prints: #"{1, {}, "x"}[LAST] == {3}"#),
        FormatSample("$a.b == $c", prints: "$a.b == $c"),
        FormatSample("$a := 1 + 2 == 3", prints: "($a := 1 + 2) == 3"),
        FormatSample(
            "SUBQUERY(pets,$p,$p.age>3 and any $p.toys.name=name).@count>2",
            prints: "SUBQUERY(pets, $p, $p.age > 3 AND ANY $p.toys.name == name).@count > 2"),
        FormatSample(
            "TERNARY(a == 1, 'x', 'y') == CAST(b, 'NSNumber')",
            prints: #"TERNARY(a == 1, "x", "y") == CAST(b, "NSNumber")"#),
        FormatSample("FUNCTION(a, \"pow:\" , 3) == 8"),
        FormatSample(
            "FUNCTION(a,'x:y:',3,4) == FETCH(a, b, YES)",
            prints: #"FUNCTION(a, "x:y:" , 3 , 4) == FETCH(a, b, 1)"#),
        FormatSample(
            "modulus:by:(17,5) == count(x) + MAX:({1,2}) + min(1, 2)",
            prints: "modulus:by:(17, 5) == count:(x) + max:({1, 2}) + min:(1, 2)"),
        FormatSample("now() > date AND random() < 1", prints: "now() > date AND random() < 1"),
        FormatSample(
            "FORMATSTRING('%%H', date) == '%%%' + '%@'",
            prints: #"FORMATSTRING("%H", date) == "%%%%" + "%@""#),
    ])
    func `expressions are parsed and printed in their normal form`(_ sample: FormatSample) throws {
        try check(sample)
    }

    @Test(arguments: [
        FormatSample("a == nil OR a == NULL", prints: "a == nil OR a == nil"),
        FormatSample("a == yes AND b == FALSE", prints: "a == 1 AND b == 0"),
        FormatSample("a == 0x1F + 0b11 + 0o17", prints: "a == 31 + 3 + 15"),
        FormatSample("a == 1.5e3 + .5 + 1E+2", prints: "a == 1500.0 + 0.5 + 100.0"),
        FormatSample("a == 9223372036854775807 - -9223372036854775808"),
        FormatSample(
            "a == 18446744073709551615",
            prints: #"a == CAST("18446744073709551615", "NSDecimalNumber")"#),
        FormatSample(#"a == "it's" + 'a "b"'"#, prints: #"a == "it's" + "a \"b\"""#),
        FormatSample(#"a == '\'\\\n\t\r\x41\101\u00e9\ud83d\ude00\q'"#, prints: #"a == "'\\\n\t\rAAé😀q""#),
        FormatSample(#"a == '\u0001 é'"#, prints: #"a == "\u0001 é""#),
        FormatSample("CAST(0, 'NSDate') < CAST(1.5, \"NSDate\")", prints: #"CAST(0, "NSDate") < CAST(1.5, "NSDate")"#),
        FormatSample("a == CAST((1), \"NSDate\")"),
    ])
    func `literals are parsed and printed in their normal form`(_ sample: FormatSample) throws {
        try check(sample)
    }

    @Test(
        .pins("CLS-27"),
        arguments: [
            FormatSample("%K == %@", "a.b", "text", prints: #"a.b == "text""#),
            FormatSample("%@ like %@", "firstName", "Adam", prints: #""firstName" LIKE "Adam""#),
            FormatSample(
                "%K.@count > %d AND %K.%K == %s", "a", 2, "b.c", "d", "x",
                prints: #"a.@count > 2 AND b.c.d == "x""#),
            FormatSample("a[%d] IN {%ld, %lf, %zd}", 0, 1, 2.5, Int8(3), prints: "a[0] IN {1, 2.5, 3}"),
            FormatSample(
                "a IN %@ AND b IN %@ AND c IN %@", [1, 2], Set(["y", "x"]), ["k": 1],
                prints: #"a IN {1, 2} AND b IN {"x", "y"} AND c IN CAST({{"k", 1}}, "NSDictionary")"#),
            FormatSample(
                "a == %@ AND b == %@ AND c == %@", Int?.none, NSNull(), Int?.some(3),
                prints: "a == nil AND b == nil AND c == 3"),
            FormatSample("a == %@ AND b == %i", true, NSNumber(value: 10), prints: "a == 1 AND b == 10"),
            FormatSample("a > %@", Date(timeIntervalSinceReferenceDate: 0.25), prints: #"a > CAST(0.25, "NSDate")"#),
            FormatSample(
                "a > %@", Date(timeIntervalSinceReferenceDate: 785_000_000.123_456_7),
                prints: #"a > CAST(785000000.1234567, "NSDate")"#),
            FormatSample("a > %@", Date(timeIntervalSinceReferenceDate: 1e300), prints: #"a > CAST(1e+300, "NSDate")"#),
            FormatSample(
                "a > %@", Date(timeIntervalSinceReferenceDate: -.infinity),
                prints: #"a > CAST(CAST("-inf", "NSNumber"), "NSDate")"#),
            FormatSample("a == %@", Data([1, 2, 255]), prints: #"a == CAST("AQL/", "NSData")"#),
            FormatSample("a == %f", Double.infinity, prints: #"a == CAST("inf", "NSNumber")"#),
            FormatSample("a == %llu", UInt64.max, prints: #"a == CAST("18446744073709551615", "NSDecimalNumber")"#),
            FormatSample(
                "a == %@", UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"),
                prints: #"a == "6ba7b810-9dad-11d1-80b4-00c04fd430c8""#),
            FormatSample("%K == 1 AND %K == 2", "größe", "size", prints: ##"#"größe" == 1 AND #size == 2"##),
            FormatSample("a == %@", Mood.angry, prints: #"a == "angry""#),
            FormatSample("a == 1", "not asked for", prints: "a == 1"),
            FormatSample("a == %@", "text".dropFirst(), prints: #"a == "ext""#),
        ])
    func `arguments replace the placeholders of a format string`(_ sample: FormatSample) throws {
        try check(sample)
    }

    @Test(.pins("CLS-28")) func `objects and their ids can be arguments`() throws {
        let condition = try PredicateFormat("master == %@", ClausesModel.ann)
        #expect(try condition == PredicateFormat("master == %@", ClausesModel.annID))
        #expect(try condition == PredicateFormat("master == %@", Badge(id: ClausesModel.annID)))
        #expect(try PredicateFormat(condition.description) == condition)
        #expect(
            try PredicateFormat("master IN %@", [ClausesModel.ann, ClausesModel.ben])
                == PredicateFormat("master IN {%@, %@}", ClausesModel.annID, ClausesModel.benID)
        )
    }

    @Test func `conditions are equal if their structure is equal`() throws {
        #expect(try PredicateFormat("a = 1 && b != TRUE") == PredicateFormat("%K == %d AND b <> %@", "a", 1, 1))
        #expect(
            try PredicateFormat("a == 1 AND b == 2 AND c == 3") != PredicateFormat("(a == 1 AND b == 2) AND c == 3"))
    }

    private func check(_ sample: FormatSample) throws {
        let condition = try PredicateFormat(sample.format, argumentArray: sample.arguments)
        #expect(condition.description == sample.printed)
        #expect(try PredicateFormat(sample.printed) == condition)
        #expect(try PredicateFormat(sample.printed).hashValue == condition.hashValue)
    }
}
