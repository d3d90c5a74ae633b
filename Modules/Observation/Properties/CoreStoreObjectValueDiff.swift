public import CofferSchema

/// A change of a stored value.
public final class CoreStoreObjectValueDiff<V: ImportableAttributeType> {
    /// How it was changed: it was set.
    public let kind = ChangeKind.setting
    /// The new value, if asked for; nil before the change.
    public let newValue: V?
    /// The former value, if asked for; nil otherwise.
    public let oldValue: V?
    /// Whether the property still has its former value.
    public let isPrior: Bool

    init(_ change: PropertyChange<V?>) {
        newValue = change.newValue ?? nil
        oldValue = change.oldValue ?? nil
        isPrior = change.isPrior
    }
}
