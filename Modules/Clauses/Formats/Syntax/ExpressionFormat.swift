/// A value in the language of format strings: `pets.@count`, `$p.age + 1`, `{1, 2}`.
public indirect enum ExpressionFormat: Hashable, CustomStringConvertible, Sendable {
    /// A literal, or an argument.
    case constant(FormatConstant)
    /// `SELF`
    case evaluatedObject
    /// `$name`
    case variable(String)
    /// `$name := value`
    case assignment(String, ExpressionFormat)
    /// A property of a value, by a path of keys.
    ///
    /// If the format string has no value before the path, the value is ``evaluatedObject``. Operators are keys that
    /// begin with `@`.
    case path(ExpressionFormat, [String])
    /// One of several values: `ages[0]`.
    case index(ExpressionFormat, Index)
    /// `{1, 2}`, and lists and sets that are arguments.
    case collection([ExpressionFormat])
    /// A dictionary that is an argument.
    case dictionary([String: ExpressionFormat])
    /// `-age`
    case unary(UnaryOperator, ExpressionFormat)
    /// `age + 1`
    case binary(BinaryOperator, ExpressionFormat, ExpressionFormat)
    /// A function of the language by its full name: `modulus:by:(age, 2)`.
    case function(String, [ExpressionFormat])
    /// A method of a value: `FUNCTION(name, "lengthOfBytes:" , 4)`.
    case call(ExpressionFormat, String, [ExpressionFormat])
    /// The members of a collection that fulfil a condition on a variable: `SUBQUERY(pets, $p, $p.age > 3)`.
    case subquery(ExpressionFormat, variable: String, PredicateFormat)
    /// `TERNARY(age > 3, "old", "young")`
    case conditional(PredicateFormat, ExpressionFormat, ExpressionFormat)
    /// `CAST(0, "NSDate")`
    case cast(ExpressionFormat, String)
    /// `FETCH(request, context, countOnly)`
    case fetch(ExpressionFormat, ExpressionFormat, ExpressionFormat)

    /// The place of one of several values.
    public indirect enum Index: Hashable, Sendable {
        /// The value at a position from 0, or with a key.
        case at(ExpressionFormat)
        case first, last
        /// The number of values.
        case size
    }

    /// An operator before a value.
    public enum UnaryOperator: String, Hashable, Sendable, CaseIterable {
        case negate = "-"
        case complement = "~"
    }

    /// An operator between two values; all of them group from left to right.
    public enum BinaryOperator: String, Hashable, Sendable, CaseIterable {
        case union = "UNION"
        case intersect = "INTERSECT"
        case minus = "MINUS"
        case bitwiseOr = "|"
        case bitwiseXor = "^"
        case bitwiseAnd = "&"
        case shiftLeft = "<<"
        case shiftRight = ">>"
        case add = "+"
        case subtract = "-"
        case multiply = "*"
        case divide = "/"
        case power = "**"
    }
}
