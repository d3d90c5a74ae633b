public import CofferSchema
public import Foundation

/// The type of the results of a query that returns rows of named values.
public protocol SelectAttributesResultType: SelectResultType {
    /// Converts the results of a query into rows of named values.
    static func cs_fromQueryResultsNativeType(_ result: [Any]) -> [[String: Any]]
}

extension NSDictionary: SelectAttributesResultType {
    /// Ignores results that are not dictionaries.
    public static func cs_fromQueryResultsNativeType(_ result: [Any]) -> [[String: Any]] {
        result.compactMap { $0 as? [String: Any] }
    }
}
