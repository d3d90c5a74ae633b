import CofferSchema
import CofferStorage

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
