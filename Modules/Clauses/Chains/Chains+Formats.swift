import CofferSchema
import CofferStorage

// Conditions as format strings: `From<Person>().where(format: "age > %d", 18)`. See `Where.init(_:_:)`.

extension From {
    /// Adds a condition: what a format string says.
    public func `where`(format: String, _ args: Any...) -> FetchChainBuilder<O> {
        appending(Where<O>(format, argumentArray: args))
    }

    /// Adds a condition: what a format string says.
    public func `where`(format: String, argumentArray: [Any]?) -> FetchChainBuilder<O> {
        appending(Where<O>(format, argumentArray: argumentArray))
    }
}

extension FetchChainBuilder {
    /// Adds a condition: what a format string says.
    ///
    /// It replaces an earlier one, with a warning.
    public func `where`(format: String, _ args: Any...) -> FetchChainBuilder<O> {
        appending(Where<O>(format, argumentArray: args))
    }

    /// Adds a condition: what a format string says.
    ///
    /// It replaces an earlier one, with a warning.
    public func `where`(format: String, argumentArray: [Any]?) -> FetchChainBuilder<O> {
        appending(Where<O>(format, argumentArray: argumentArray))
    }
}

extension QueryChainBuilder {
    /// Adds a condition: what a format string says.
    ///
    /// It replaces an earlier one, with a warning.
    public func `where`(format: String, _ args: Any...) -> QueryChainBuilder<O, R> {
        appending(Where<O>(format, argumentArray: args))
    }

    /// Adds a condition: what a format string says.
    ///
    /// It replaces an earlier one, with a warning.
    public func `where`(format: String, argumentArray: [Any]?) -> QueryChainBuilder<O, R> {
        appending(Where<O>(format, argumentArray: argumentArray))
    }
}
