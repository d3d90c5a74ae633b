/// A keyword of format strings, such as `AND`, `BETWEEN` or `SUBQUERY`.
enum FormatKeyword: String, CaseIterable {
    case and = "AND"
    case or = "OR"
    case isIn = "IN"
    case not = "NOT"
    case all = "ALL"
    case any = "ANY"
    case some = "SOME"
    case none = "NONE"
    case like = "LIKE"
    case caseInsensitive = "CASEINSENSITIVE"
    case caseInsensitiveShort = "CI"
    case matches = "MATCHES"
    case contains = "CONTAINS"
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case between = "BETWEEN"
    case null = "NULL"
    case `nil` = "NIL"
    case evaluatedObject = "SELF"
    case `true` = "TRUE"
    case yes = "YES"
    case `false` = "FALSE"
    case no = "NO"
    case first = "FIRST"
    case last = "LAST"
    case size = "SIZE"
    case anyKey = "ANYKEY"
    case subquery = "SUBQUERY"
    case fetch = "FETCH"
    case cast = "CAST"
    case truePredicate = "TRUEPREDICATE"
    case falsePredicate = "FALSEPREDICATE"
    case conformsToType = "UTI-CONFORMS-TO"
    case equalsType = "UTI-EQUALS"

    /// The keyword that some bytes spell, in any case.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count <= Self.longest else { return nil }
        let word = String(decoding: bytes.map { $0 >= 97 && $0 <= 122 ? $0 - 32 : $0 }, as: UTF8.self)
        guard let keyword = Self.table[word] else { return nil }
        self = keyword
    }

    private static let table = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })
    private static let longest = 15
}
