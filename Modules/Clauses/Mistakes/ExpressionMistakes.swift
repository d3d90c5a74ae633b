// Comparisons of expressions that are never right: `$0.$age * 2 > "x"`. Where a value is of another type than the
// expression, the compiler chooses one of them and prints its message.

extension Where.Expression {
    /// The value has another type than the expression.
    @_disfavoredOverload
    @available(*, unavailable, message: "The value has another type than the expression. Use one of its type.")
    public static func == <W>(_ expression: Self, _ value: W) -> Where<O> {
        Where(false)
    }

    /// The value has another type than the expression.
    @_disfavoredOverload
    @available(*, unavailable, message: "The value has another type than the expression. Use one of its type.")
    public static func != <W>(_ expression: Self, _ value: W) -> Where<O> {
        Where(false)
    }

    /// The value has another type than the expression.
    @_disfavoredOverload
    @available(*, unavailable, message: "The value has another type than the expression. Use one of its type.")
    public static func < <W>(_ expression: Self, _ value: W) -> Where<O> {
        Where(false)
    }

    /// The value has another type than the expression.
    @_disfavoredOverload
    @available(*, unavailable, message: "The value has another type than the expression. Use one of its type.")
    public static func > <W>(_ expression: Self, _ value: W) -> Where<O> {
        Where(false)
    }

    /// The value has another type than the expression.
    @_disfavoredOverload
    @available(*, unavailable, message: "The value has another type than the expression. Use one of its type.")
    public static func <= <W>(_ expression: Self, _ value: W) -> Where<O> {
        Where(false)
    }

    /// The value has another type than the expression.
    @_disfavoredOverload
    @available(*, unavailable, message: "The value has another type than the expression. Use one of its type.")
    public static func >= <W>(_ expression: Self, _ value: W) -> Where<O> {
        Where(false)
    }
}
