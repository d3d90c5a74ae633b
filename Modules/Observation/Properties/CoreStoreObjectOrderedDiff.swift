public import CofferSchema
public import Foundation

/// The change of an ordered to-many relationship, for the observation of a deprecated property.
public final class CoreStoreObjectOrderedDiff<D: CoreStoreObject>: CoreStoreObjectDiff<[D]> {
    /// The changed indexes; empty, because the whole relationship was set.
    public let indexes = IndexSet()
}
