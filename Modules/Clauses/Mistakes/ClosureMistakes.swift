public import CofferSchema

// Closures that are never right: they compare values, `$0.age > 3`, where a condition compares fields, `$0.$age > 3`; or
// they give a field, `$0.$isTame`, where a condition compares it, `$0.$isTame == true`.

extension Where where O: CoreStoreObject {
    /// A comparison of values is not a condition.
    @available(*, unavailable, message: "Write '$' before the names, as in '$0.$age > 3': a condition is about fields.")
    public init(_ condition: (O) -> Bool) {
        self.init(false)
    }

    /// A field is not a condition.
    @available(*, unavailable, message: "Write '== true' after the field: a condition compares it with a value.")
    public init(_ condition: (O) -> FieldContainer<O>.Stored<Bool>) {
        self.init(false)
    }
}

extension From where O: CoreStoreObject {
    /// A comparison of values is not a condition.
    @available(*, unavailable, message: "Write '$' before the names, as in '$0.$age > 3': a condition is about fields.")
    public func `where`(_ clause: (O) -> Bool) -> FetchChainBuilder<O> {
        appending(Where<O>(false))
    }

    /// A field is not a condition.
    @available(*, unavailable, message: "Write '== true' after the field: a condition compares it with a value.")
    public func `where`(_ clause: (O) -> FieldContainer<O>.Stored<Bool>) -> FetchChainBuilder<O> {
        appending(Where<O>(false))
    }
}

extension FetchChainBuilder where O: CoreStoreObject {
    /// A comparison of values is not a condition.
    @available(*, unavailable, message: "Write '$' before the names, as in '$0.$age > 3': a condition is about fields.")
    public func `where`(_ clause: (O) -> Bool) -> FetchChainBuilder<O> {
        appending(Where<O>(false))
    }

    /// A field is not a condition.
    @available(*, unavailable, message: "Write '== true' after the field: a condition compares it with a value.")
    public func `where`(_ clause: (O) -> FieldContainer<O>.Stored<Bool>) -> FetchChainBuilder<O> {
        appending(Where<O>(false))
    }
}

extension QueryChainBuilder where O: CoreStoreObject {
    /// A comparison of values is not a condition.
    @available(*, unavailable, message: "Write '$' before the names, as in '$0.$age > 3': a condition is about fields.")
    public func `where`(_ clause: (O) -> Bool) -> QueryChainBuilder<O, R> {
        appending(Where<O>(false))
    }

    /// A field is not a condition.
    @available(*, unavailable, message: "Write '== true' after the field: a condition compares it with a value.")
    public func `where`(_ clause: (O) -> FieldContainer<O>.Stored<Bool>) -> QueryChainBuilder<O, R> {
        appending(Where<O>(false))
    }
}

extension SectionMonitorChainBuilder where O: CoreStoreObject {
    /// A comparison of values is not a condition.
    @available(*, unavailable, message: "Write '$' before the names, as in '$0.$age > 3': a condition is about fields.")
    public func `where`(_ clause: (O) -> Bool) -> SectionMonitorChainBuilder<O> {
        appending(Where<O>(false))
    }

    /// A field is not a condition.
    @available(*, unavailable, message: "Write '== true' after the field: a condition compares it with a value.")
    public func `where`(_ clause: (O) -> FieldContainer<O>.Stored<Bool>) -> SectionMonitorChainBuilder<O> {
        appending(Where<O>(false))
    }
}
