public import CofferSchema

// These operators are always mistakes: they compare or combine a condition with a Boolean, combine a condition with a
// field, or negate a field.

/// Explains a mistake at compile time: a condition is compared or combined with a Boolean or a field.
extension Where where O: CoreStoreObject {
    /// A condition is not a value.
    @_disfavoredOverload
    @available(*, unavailable, message: "Remove '== true'. For '== false', write '!' before the condition.")
    public static func == (_ condition: Self, _ value: Bool) -> Where<O> { condition }

    /// A condition is not a value.
    @_disfavoredOverload
    @available(*, unavailable, message: "Remove '!= false'. For '!= true', write '!' before the condition.")
    public static func != (_ condition: Self, _ value: Bool) -> Where<O> { condition }
}

@available(*, unavailable, message: "Write '$' before the name of a field, and 'Where(flag)' for a Boolean.")
extension Where where O: CoreStoreObject {
    /// A Boolean is not a condition.
    public static func && (_ value: Bool, _ condition: Self) -> Where<O> { condition }

    /// A Boolean is not a condition.
    public static func && (_ condition: Self, _ value: Bool) -> Where<O> { condition }

    /// A Boolean is not a condition.
    public static func || (_ value: Bool, _ condition: Self) -> Where<O> { condition }

    /// A Boolean is not a condition.
    public static func || (_ condition: Self, _ value: Bool) -> Where<O> { condition }
}

@available(*, unavailable, message: "Compare the field with a value, as in '$0.$isMember == true'.")
extension Where where O: CoreStoreObject {
    /// A field is not a condition.
    public static func && <B, V>(_ field: FieldContainer<B>.Stored<V>, _ condition: Self) -> Where<O> {
        condition
    }

    /// A field is not a condition.
    public static func && <B, V>(_ condition: Self, _ field: FieldContainer<B>.Stored<V>) -> Where<O> {
        condition
    }

    /// A field is not a condition.
    public static func || <B, V>(_ field: FieldContainer<B>.Stored<V>, _ condition: Self) -> Where<O> {
        condition
    }

    /// A field is not a condition.
    public static func || <B, V>(_ condition: Self, _ field: FieldContainer<B>.Stored<V>) -> Where<O> {
        condition
    }
}

extension FieldContainer.Stored {
    /// A field is not a condition.
    @available(*, unavailable, message: "Compare the field with a value, as in '$0.$isMember == false'.")
    public static prefix func ! (_ field: Self) -> Where<O> { Where(false) }
}
