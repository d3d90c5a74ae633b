public import CofferSchema
import CofferStorage

extension OrderBy.SortKey where O: CoreStoreObject {
    /// Least first, by a deprecated property; a fetch refuses an archived one.
    public static func ascending<B, V, D, K: LegacyAttribute<B, V, D>>(_ attribute: KeyPath<O, K>) -> Self {
        ascending(KeyPathString(keyPath: attribute))
    }

    /// Greatest first, by a deprecated property; a fetch refuses an archived one.
    public static func descending<B, V, D, K: LegacyAttribute<B, V, D>>(_ attribute: KeyPath<O, K>) -> Self {
        descending(KeyPathString(keyPath: attribute))
    }
}
