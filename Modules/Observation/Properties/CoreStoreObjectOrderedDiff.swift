public import CofferSchema
public import Foundation

/// The change of an ordered to-many relationship, for the observation of a deprecated property.
public final class CoreStoreObjectOrderedDiff<D: CoreStoreObject> {
    /// The kind of the change: the property was set.
    public let kind = ChangeKind.setting
    /// The new value, if the options request it; empty before the change.
    public let newValue: [D]
    /// The former value, if the options request it; empty otherwise.
    public let oldValue: [D]
    /// Whether the property still has its former value.
    public let isPrior: Bool
    /// The changed indexes; empty, because the whole relationship was set.
    public let indexes = IndexSet()

    init(_ change: PropertyChange<[D]>) {
        newValue = change.newValue ?? []
        oldValue = change.oldValue ?? []
        isPrior = change.isPrior
    }
}
