/// A word, sign or literal of a format string.
struct FormatToken {
    enum Kind: Equatable {
        case end
        case keyword(FormatKeyword)
        /// A word that is no keyword, or is one after `#`, as text.
        case key(String)
        /// A name with colons: `modulus:by:`.
        case selector(String)
        /// `$name`, without the sign.
        case variable(String)
        /// `@name`, with the sign.
        case pathOperator(String)
        case string(String)
        case number(FormatNumber)
        /// `%@`, `%d` and the like; `%K`.
        case argument, keyArgument
        case sign(FormatSign)
    }

    var kind: Kind
    /// Where the token begins and ends, in bytes.
    var start: Int
    var end: Int
    /// Whether it is a key written with `#`.
    var isEscaped = false
}

/// An unsigned number.
enum FormatNumber: Hashable {
    case integer(UInt64)
    case double(Double)
    /// Digits that no other case can hold.
    case digits(String)
}

/// A word that means something of its own.
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

    /// The keyword some bytes spell, in any case.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count <= Self.longest else { return nil }
        let word = String(decoding: bytes.map { $0 >= 97 && $0 <= 122 ? $0 - 32 : $0 }, as: UTF8.self)
        guard let keyword = Self.table[word] else { return nil }
        self = keyword
    }

    private static let table = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })
    private static let longest = 15
}

/// An operator or a bracket.
enum FormatSign: String, CaseIterable {
    case power = "**"
    case assign = ":="
    case shiftLeft = "<<"
    case shiftRight = ">>"
    case lessOrEqual = "<="
    case lessOrEqualToo = "=<"
    case greaterOrEqual = ">="
    case greaterOrEqualToo = "=>"
    case equalToo = "=="
    case notEqual = "!="
    case notEqualToo = "<>"
    case and = "&&"
    case or = "||"
    case plus = "+"
    case minus = "-"
    case times = "*"
    case over = "/"
    case less = "<"
    case greater = ">"
    case equal = "="
    case not = "!"
    case bitwiseAnd = "&"
    case bitwiseOr = "|"
    case bitwiseXor = "^"
    case complement = "~"
    case openParenthesis = "("
    case closeParenthesis = ")"
    case openBrace = "{"
    case closeBrace = "}"
    case openBracket = "["
    case closeBracket = "]"
    case comma = ","
    case dot = "."

    /// The longest sign at the start of some bytes.
    init?(_ first: UInt8, _ second: UInt8?) {
        if let second, let sign = Self.table[UInt16(first) << 8 | UInt16(second)] {
            self = sign
        } else if let sign = Self.table[UInt16(first)] {
            self = sign
        } else {
            return nil
        }
    }

    private static let table = Dictionary(
        uniqueKeysWithValues: allCases.map { sign in (sign.rawValue.utf8.reduce(0) { $0 << 8 | UInt16($1) }, sign) }
    )
}
