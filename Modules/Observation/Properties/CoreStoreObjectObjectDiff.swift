public import CofferSchema

/// The change of a to-one relationship, for the observation of a deprecated property.
public final class CoreStoreObjectObjectDiff<D: CoreStoreObject> {
    /// The kind of the change: the property was set.
    public let kind = ChangeKind.setting
    /// The new value, if the options request it; nil before the change.
    public let newValue: D?
    /// The former value, if the options request it; nil otherwise.
    public let oldValue: D?
    /// Whether the property still has its former value.
    public let isPrior: Bool

    init(_ change: PropertyChange<D?>) {
        newValue = change.newValue ?? nil
        oldValue = change.oldValue ?? nil
        isPrior = change.isPrior
    }
}
