import CofferSchema
import CofferStorage

extension From {
    /// Adds a condition, written as a format string.
    ///
    /// ```swift
    /// let people = try stack.fetchAll(From<Person>().where(format: "age >= %d AND name BEGINSWITH[c] %@", 18, "a"))
    /// ```
    ///
    /// The arguments are passed as values and need no quotation marks; `%K` takes a key path. See ``Where/init(_:_:)``.
    /// If the format string is wrong, the fetch throws `invalidRequest`, and the message names the column.
    public func `where`(format: String, _ args: Any...) -> FetchChainBuilder<O> {
        appending(Where<O>(format, argumentArray: args))
    }

    /// Adds a condition: what a format string says.
    public func `where`(format: String, argumentArray: [Any]?) -> FetchChainBuilder<O> {
        appending(Where<O>(format, argumentArray: argumentArray))
    }
}
