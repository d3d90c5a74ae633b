import CofferSchema
import CofferStorage

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
