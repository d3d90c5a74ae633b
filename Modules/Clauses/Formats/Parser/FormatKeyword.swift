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

    /// The keyword that some bytes spell, in any case.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count <= Self.longest else { return nil }
        let word = String(decoding: bytes.map { $0 >= 97 && $0 <= 122 ? $0 - 32 : $0 }, as: UTF8.self)
        guard let keyword = Self.table[word] else { return nil }
        self = keyword
    }

    private static let table = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue.uppercased(), $0) })
    private static let longest = 15
}
