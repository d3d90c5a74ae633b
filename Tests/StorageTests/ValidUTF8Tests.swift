import Testing

@testable import CofferStorage

/// Both ways of reading UTF-8: the one of newer systems, and the one that compares.
struct ValidUTF8Tests {
    @Test(
        arguments: [
            ("", ""), ("plain", "plain"), ("é", "é"), ("e\u{301}", "e\u{301}"), ("\u{FFFD}", "\u{FFFD}"),
            ("👩‍👩‍👧", "👩‍👩‍👧"), ("\u{10FFFF}", "\u{10FFFF}"), ("a\0b", "a\0b"), ("\u{FEFF}x", "\u{FEFF}x"),
        ])
    func `valid bytes become a string with the same bytes`(_ text: String, _ expected: String) {
        let bytes = Array(text.utf8)
        #expect(String(validUTF8: bytes).map { Array($0.utf8) } == Array(expected.utf8))
        #expect(String(comparing: bytes).map { Array($0.utf8) } == Array(expected.utf8))
    }

    @Test(
        arguments: [
            [0xFF], [0x61, 0x80], [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x91], [0xC0, 0x80], [0xED, 0xA0, 0x80],
            [0xF4, 0x90, 0x80, 0x80], [0xEF, 0xBF, 0xBD, 0xFF],
        ] as [[UInt8]])
    func `bytes that are not UTF-8 do not convert to a string`(_ bytes: [UInt8]) {
        #expect(String(validUTF8: bytes) == nil)
        #expect(String(comparing: bytes) == nil)
    }
}
