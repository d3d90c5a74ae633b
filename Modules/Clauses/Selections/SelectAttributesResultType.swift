public import CofferSchema
public import Foundation

/// What a query can return when it returns rows of named values.
public protocol SelectAttributesResultType: SelectResultType {
    /// The rows of a query's results.
    static func cs_fromQueryResultsNativeType(_ result: [Any]) -> [[String: Any]]
}

extension NSDictionary: SelectAttributesResultType {
    /// Passes over what is no dictionary.
    public static func cs_fromQueryResultsNativeType(_ result: [Any]) -> [[String: Any]] {
        result.compactMap { $0 as? [String: Any] }
    }
}
