/// A keyword of format strings, such as `AND`, `BETWEEN` or `SUBQUERY`.
enum FormatKeyword: String, CaseIterable {
    case and, or, not
    case all, any, some, none
    case isIn = "in"
    case like, matches, contains, beginsWith, endsWith, between
    case conformsToType = "uti-conforms-to"
    case equalsType = "uti-equals"
    case null, `nil`, `true`, yes, `false`, no
    case evaluatedObject = "self"
    case first, last, size
    case subquery, fetch, cast
    case truePredicate, falsePredicate
    // Reserved words without a meaning.
    case anyKey, caseInsensitive
    case caseInsensitiveShort = "ci"

    /// Returns the keyword that some bytes spell, in upper or lower case; nil if they spell no keyword.
    static func spelled(_ bytes: ArraySlice<UInt8>) -> FormatKeyword? {
        guard bytes.count <= longest else { return nil }
        return table[String(decoding: bytes.map { $0 >= 97 && $0 <= 122 ? $0 - 32 : $0 }, as: UTF8.self)]
    }

    private static let table = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue.uppercased(), $0) })
    private static let longest = 15
}
