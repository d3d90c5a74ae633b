public import CofferSchema
public import Foundation

/// A change of a relationship to many objects in order.
public final class CoreStoreObjectOrderedDiff<D: CoreStoreObject> {
    /// How it was changed: it was set.
    public let kind = ChangeKind.setting
    /// The new value, if asked for; empty before the change.
    public let newValue: [D]
    /// The former value, if asked for; empty otherwise.
    public let oldValue: [D]
    /// Whether the property still has its former value.
    public let isPrior: Bool
    /// The places that changed; none where the whole relationship was set.
    public let indexes = IndexSet()

    init(_ change: PropertyChange<[D]>) {
        newValue = change.newValue ?? []
        oldValue = change.oldValue ?? []
        isPrior = change.isPrior
    }
}
