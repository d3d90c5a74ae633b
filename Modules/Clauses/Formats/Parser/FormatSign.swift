/// An operator or a bracket in a format string.
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

    /// Returns the longest sign at the start of some bytes; nil if they do not begin with a sign.
    static func longest(_ first: UInt8, _ second: UInt8?) -> FormatSign? {
        if first < 128, let sign = alone[Int(first)] { return sign }
        return second.flatMap { table[UInt16(first) << 8 | UInt16($0)] } ?? table[UInt16(first)]
    }

    /// The signs of one byte that are not the beginning of a longer sign, by their bytes.
    private static let alone: [FormatSign?] = (0..<128).map { byte in
        let signs = allCases.filter { $0.rawValue.utf8.first == UInt8(byte) }
        return signs.count == 1 && signs[0].rawValue.utf8.count == 1 ? signs[0] : nil
    }

    private static let table = Dictionary(
        uniqueKeysWithValues: allCases.map { sign in (sign.rawValue.utf8.reduce(0) { $0 << 8 | UInt16($1) }, sign) }
    )
}
