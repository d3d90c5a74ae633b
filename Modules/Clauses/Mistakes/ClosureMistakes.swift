public import CofferSchema

// A closure is wrong if it compares values, `$0.age > 3`, because a condition compares fields, `$0.$age > 3`. A
// closure is also wrong if it returns a field, `$0.$isMember`, and not a condition, `$0.$isMember == true`.

/// Explains a mistake at compile time: a closure compares plain values without `$`, or returns a field.
extension Where where O: CoreStoreObject {
    /// A comparison of values is not a condition.
    @available(*, unavailable, message: "Write '$' before the names, as in '$0.$age > 3': a condition compares fields.")
    public init(_ condition: (O) -> Bool) { self.init(false) }

    /// A field is not a condition.
    @available(*, unavailable, message: "Compare the field with a value, as in '$0.$isMember == true'.")
    public init<B, V>(_ condition: (O) -> FieldContainer<B>.Stored<V>) { self.init(false) }
}

extension ClauseChain where O: CoreStoreObject {
    /// A comparison of values is not a condition.
    @available(*, unavailable, message: "Write '$' before the names, as in '$0.$age > 3': a condition compares fields.")
    public func `where`(_ clause: (O) -> Bool) -> ExtendedChain { `where`(Where(false)) }

    /// A field is not a condition.
    @available(*, unavailable, message: "Compare the field with a value, as in '$0.$isMember == true'.")
    public func `where`<B, V>(_ clause: (O) -> FieldContainer<B>.Stored<V>) -> ExtendedChain {
        `where`(Where(false))
    }
}
