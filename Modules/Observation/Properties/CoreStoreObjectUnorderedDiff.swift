public import CofferSchema

/// A change of a relationship to many objects.
public final class CoreStoreObjectUnorderedDiff<D: CoreStoreObject> {
    /// How it was changed: it was set.
    public let kind = ChangeKind.setting
    /// The new value, if asked for; empty before the change.
    public let newValue: Set<D>
    /// The former value, if asked for; empty otherwise.
    public let oldValue: Set<D>
    /// Whether the property still has its former value.
    public let isPrior: Bool

    init(_ change: PropertyChange<Set<D>>) {
        newValue = change.newValue ?? []
        oldValue = change.oldValue ?? []
        isPrior = change.isPrior
    }
}
