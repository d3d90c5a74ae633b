import CofferSchema
import CofferStorage

extension SectionMonitorChainBuilder {
    /// Adds a condition: what a format string says.
    ///
    /// It replaces an earlier one, with a warning.
    public func `where`(format: String, _ args: Any...) -> SectionMonitorChainBuilder<O> {
        appending(Where<O>(format, argumentArray: args))
    }

    /// Adds a condition: what a format string says.
    ///
    /// It replaces an earlier one, with a warning.
    public func `where`(format: String, argumentArray: [Any]?) -> SectionMonitorChainBuilder<O> {
        appending(Where<O>(format, argumentArray: argumentArray))
    }
}
