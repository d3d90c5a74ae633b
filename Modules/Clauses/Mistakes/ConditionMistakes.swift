public import CofferSchema

// Operators that are never right: they compare a condition with a Boolean, or negate a field.

extension Where where O: CoreStoreObject {
    /// A condition is not a value.
    @_disfavoredOverload
    @available(*, unavailable, message: "Leave '== true' out, or write '!' before the condition for '== false'.")
    public static func == (_ condition: Self, _ value: Bool) -> Where<O> {
        condition
    }

    /// A condition is not a value.
    @_disfavoredOverload
    @available(*, unavailable, message: "Leave '!= false' out, or write '!' before the condition for '!= true'.")
    public static func != (_ condition: Self, _ value: Bool) -> Where<O> {
        condition
    }
}

extension FieldContainer.Stored {
    /// A field is not a condition.
    @available(*, unavailable, message: "Compare the field with a value, as in '$0.$isMember == false'.")
    public static prefix func ! (_ field: Self) -> Where<O> {
        Where(false)
    }
}
