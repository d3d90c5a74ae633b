public import CofferSchema

/// The change of an unordered to-many relationship, for the observation of a deprecated property.
public final class CoreStoreObjectUnorderedDiff<D: CoreStoreObject> {
    /// The kind of the change: the property was set.
    public let kind = ChangeKind.setting
    /// The new value, if the options request it; empty before the change.
    public let newValue: Set<D>
    /// The former value, if the options request it; empty otherwise.
    public let oldValue: Set<D>
    /// Whether the property still has its former value.
    public let isPrior: Bool

    init(_ change: PropertyChange<Set<D>>) {
        newValue = change.newValue ?? []
        oldValue = change.oldValue ?? []
        isPrior = change.isPrior
    }
}
