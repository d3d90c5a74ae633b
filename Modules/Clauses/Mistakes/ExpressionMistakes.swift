public import CofferSchema

// A comparison of an expression with a value of another type is always a mistake: `$0.$age * 2 > "x"`. For such a
// comparison, the compiler chooses one of these operators and prints its message.

/// Explains a mistake at compile time: an expression is compared with a value of another type.
@available(
    *, unavailable,
    message: "The value and the expression have different types. Use a value of the expression's type."
)
extension Where.Expression {
    /// The value has another type than the expression.
    @_disfavoredOverload
    public static func == <W>(_ expression: Self, _ value: W) -> Where<O> { Where(false) }

    /// The value has another type than the expression.
    @_disfavoredOverload
    public static func != <W>(_ expression: Self, _ value: W) -> Where<O> { Where(false) }

    /// The value has another type than the expression.
    @_disfavoredOverload
    public static func < <W>(_ expression: Self, _ value: W) -> Where<O> { Where(false) }

    /// The value has another type than the expression.
    @_disfavoredOverload
    public static func > <W>(_ expression: Self, _ value: W) -> Where<O> { Where(false) }

    /// The value has another type than the expression.
    @_disfavoredOverload
    public static func <= <W>(_ expression: Self, _ value: W) -> Where<O> { Where(false) }

    /// The value has another type than the expression.
    @_disfavoredOverload
    public static func >= <W>(_ expression: Self, _ value: W) -> Where<O> { Where(false) }
}

@available(
    *, unavailable, message: "Conform the type to 'ImportableAttributeType', which conditions after '~' require."
)
extension Where.Expression where V: FieldStorableType {
    /// The type of the value can be stored, but conditions on paths do not support it.
    @_disfavoredOverload
    public static func == (_ expression: Self, _ value: V) -> Where<O> { Where(false) }

    /// The type of the value can be stored, but conditions on paths do not support it.
    @_disfavoredOverload
    public static func != (_ expression: Self, _ value: V) -> Where<O> { Where(false) }
}
