public import CofferSchema

// Operators that are never right, about conditions and Boolean fields. Each says what to write.

extension Where where O: CoreStoreObject {
    /// A condition is not a value.
    @_disfavoredOverload
    @available(*, unavailable, message: "Leave '== true' out, or write '!' before the condition for '== false'.")
    public static func == (_ condition: Self, _ value: Bool) -> Where<O> {
        condition
    }
}

extension FieldContainer.Stored where V == Bool {
    /// A field is not a condition.
    @available(*, unavailable, message: "Write '== false' after the field: a condition compares it with a value.")
    public static prefix func ! (_ field: Self) -> Where<O> {
        Where(false)
    }
}
