/// A token of a format string: a word, a sign or a literal.
struct FormatToken {
    enum Kind: Equatable {
        case end
        case keyword(FormatKeyword)
        /// A word that is not a keyword, or any word after `#`, as a string.
        case key(String)
        /// A name with colons: `modulus:by:`.
        case selector(String)
        /// `$name`, without the sign.
        case variable(String)
        /// `@name`, with the sign.
        case pathOperator(String)
        case string(String)
        case number(FormatNumber)
        /// `%@`, `%d` and similar arguments; `%K`.
        case argument, keyArgument
        case sign(FormatSign)
    }

    let kind: Kind
    /// The place where the token begins, in bytes.
    let start: Int
}

/// An unsigned number.
enum FormatNumber: Hashable {
    case integer(UInt64)
    case double(Double)
    /// Digits that the other cases cannot hold.
    case digits(String)
}
