public import CofferSchema
import CofferStorage

/// Creates sort keys for deprecated properties.
extension OrderBy.SortKey where O: CoreStoreObject {
    /// Ascending order by a deprecated property; a fetch throws an error for an archived property.
    public static func ascending<B, V, D, K: LegacyAttribute<B, V, D>>(_ attribute: KeyPath<O, K>) -> Self {
        ascending(KeyPathString(keyPath: attribute))
    }

    /// Descending order by a deprecated property; a fetch throws an error for an archived property.
    public static func descending<B, V, D, K: LegacyAttribute<B, V, D>>(_ attribute: KeyPath<O, K>) -> Self {
        descending(KeyPathString(keyPath: attribute))
    }
}
