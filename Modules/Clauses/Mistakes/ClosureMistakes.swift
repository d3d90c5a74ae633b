public import CofferSchema

// Closures that are never right: they compare values, `$0.age > 3`, where a condition compares fields, `$0.$age > 3`.

extension Where where O: CoreStoreObject {
    /// A comparison of values is not a condition.
    @available(*, unavailable, message: "Write '$' before the names, as in '$0.$age > 3': a condition is about fields.")
    public init(_ condition: (O) -> Bool) {
        self.init(false)
    }
}

extension From where O: CoreStoreObject {
    /// A comparison of values is not a condition.
    @available(*, unavailable, message: "Write '$' before the names, as in '$0.$age > 3': a condition is about fields.")
    public func `where`(_ clause: (O) -> Bool) -> FetchChainBuilder<O> {
        appending(Where<O>(false))
    }
}

extension FetchChainBuilder where O: CoreStoreObject {
    /// A comparison of values is not a condition.
    @available(*, unavailable, message: "Write '$' before the names, as in '$0.$age > 3': a condition is about fields.")
    public func `where`(_ clause: (O) -> Bool) -> FetchChainBuilder<O> {
        appending(Where<O>(false))
    }
}

extension QueryChainBuilder where O: CoreStoreObject {
    /// A comparison of values is not a condition.
    @available(*, unavailable, message: "Write '$' before the names, as in '$0.$age > 3': a condition is about fields.")
    public func `where`(_ clause: (O) -> Bool) -> QueryChainBuilder<O, R> {
        appending(Where<O>(false))
    }
}

extension SectionMonitorChainBuilder where O: CoreStoreObject {
    /// A comparison of values is not a condition.
    @available(*, unavailable, message: "Write '$' before the names, as in '$0.$age > 3': a condition is about fields.")
    public func `where`(_ clause: (O) -> Bool) -> SectionMonitorChainBuilder<O> {
        appending(Where<O>(false))
    }
}
