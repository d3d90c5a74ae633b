public import CofferSchema

/// A change of a relationship to one object.
public final class CoreStoreObjectObjectDiff<D: CoreStoreObject> {
    /// How it was changed: it was set.
    public let kind = ChangeKind.setting
    /// The new value, if asked for; nil before the change.
    public let newValue: D?
    /// The former value, if asked for; nil otherwise.
    public let oldValue: D?
    /// Whether the property still has its former value.
    public let isPrior: Bool

    init(_ change: PropertyChange<D?>) {
        newValue = change.newValue ?? nil
        oldValue = change.oldValue ?? nil
        isPrior = change.isPrior
    }
}
