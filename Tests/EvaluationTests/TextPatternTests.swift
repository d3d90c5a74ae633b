import CofferEvaluation
import CofferStorage
import Testing

struct TextPatternTests {
    @Test(arguments: [
        ("Straße", "STRASSE", false), ("ΣΊΣΥΦΟΣ", "σίσυφος", true), ("ſ", "S", true), ("ı", "I", false),
        ("K", "k", true),
        ("ÀÉ", "àé", true), ("e\u{301}", "é", false), ("Ж", "ж", true), ("ẞ", "ß", true), ("Ⓐ", "ⓐ", true),
    ])
    func `a case-insensitive pattern ignores upper and lower case`(
        _ left: String, _ right: String, _ isEqual: Bool
    ) throws {
        #expect(try TextPattern(.equal, right, .caseInsensitive).holds(left) == isEqual)
        #expect(try TextPattern(.equal, left, .caseInsensitive).holds(right) == isEqual)
    }

    @Test(arguments: [
        ("é", "e\u{301}", true), ("Ångström", "Angstrom", true), ("ệ", "e", true), ("ø", "o", false),
        ("\u{301}", "", true),
        ("가", "각", false), ("Ñandú", "ñandu", false), ("ﬁ", "fi", false), ("Ω", "\u{2126}", true),
    ])
    func `a diacritic-insensitive pattern ignores marks`(_ left: String, _ right: String, _ isEqual: Bool) throws {
        #expect(try TextPattern(.equal, right, .diacriticInsensitive).holds(left) == isEqual)
        #expect(try TextPattern(.equal, left, .diacriticInsensitive).holds(right) == isEqual)
    }

    @Test(arguments: [
        ("", "", true), ("", "*", true), ("", "?", false), ("é", "?", true), ("e\u{301}", "??", true),
        ("😀x", "?x", true),
        ("abc", "a*c", true), ("abcbc", "a*bc", true), ("abcbd", "a*bc", false), ("a*c", "a\\*c", true),
        ("abc", "a\\*c", false),
        ("a\\", "a\\", true), ("a?", "a\\?", true), ("aaa", "a**a", true), ("abc", "**", true), ("ab", "?*?", true),
        ("a", "?*?", false), ("xaybz", "*a*b*", true), ("ab", "ab*", true), ("ab", "*ab", true), ("ab\n", "ab", false),
    ])
    func `LIKE matches a string with wildcards`(_ text: String, _ pattern: String, _ holds: Bool) throws {
        #expect(try TextPattern(.like, pattern, []).holds(text) == holds)
        #expect(
            try TextPattern(.like, pattern, [.caseInsensitive, .diacriticInsensitive]).holds(text) == holds
                || text == "e\u{301}")
    }

    @Test func `LIKE with many stars fails quickly`() throws {
        let pattern = try TextPattern(.like, String(repeating: "a*", count: 40) + "b", [])
        #expect(!pattern.holds(String(repeating: "a", count: 4_000)))
    }

    @Test(arguments: [
        ("ab", "a|ab", true), ("ab\n", "ab", false), ("AB", "(?i)ab", true), ("ab", "(?x) a b # both", true),
        ("", "", true),
        ("xab", "ab", false), ("a\nb", "a.b", false), ("日本", "..", true),
    ])
    func `MATCHES compares the whole string`(_ text: String, _ pattern: String, _ holds: Bool) throws {
        #expect(try TextPattern(.matches, pattern, []).holds(text) == holds)
    }

    @Test(arguments: ["(", "a)(b", "[z-a]", "*"])
    func `an invalid regular expression is refused`(_ pattern: String) {
        let error = #expect(throws: StorageError.self) { try TextPattern(.matches, pattern, []) }
        #expect(error?.description == "invalidRequest: The right side of MATCHES is not a regular expression.")
    }

    @Test(arguments: [
        ("aab", "ab", true), ("ab", "abc", false), ("a", "", false), ("", "a", false), ("ababac", "abac", true),
        ("a\u{0}b", "\u{0}b", true),
    ])
    func `CONTAINS finds a part of a string`(_ text: String, _ part: String, _ holds: Bool) throws {
        #expect(try TextPattern(.contains, part, []).holds(text) == holds)
    }
}
