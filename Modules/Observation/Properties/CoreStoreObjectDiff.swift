public import CofferSchema
public import Foundation

/// The change of a property of any kind: its former and its new value.
public class CoreStoreObjectDiff<Value> {
    /// The kind of the change: the property was set.
    public let kind = ChangeKind.setting
    /// The new value, if the options request it; nil or empty before the change.
    public let newValue: Value
    /// The former value, if the options request it; nil or empty otherwise.
    public let oldValue: Value
    /// Whether the property still has its former value.
    public let isPrior: Bool

    /// - Parameter none: the value that stands for a value that was not requested.
    required init(_ change: PropertyChange<Value>, none: Value) {
        newValue = change.newValue ?? none
        oldValue = change.oldValue ?? none
        isPrior = change.isPrior
    }
}

/// The change of a stored value, for the observation of a field or a deprecated property.
public final class CoreStoreObjectValueDiff<V: ImportableAttributeType>: CoreStoreObjectDiff<V?> {}

/// The change of an archived object, for the observation of a deprecated property.
public final class CoreStoreObjectTransformableDiff<V: NSCoding & NSCopying>: CoreStoreObjectDiff<V?> {}

/// The change of a to-one relationship, for the observation of a deprecated property.
public final class CoreStoreObjectObjectDiff<D: CoreStoreObject>: CoreStoreObjectDiff<D?> {}

/// The change of an unordered to-many relationship, for the observation of a deprecated property.
public final class CoreStoreObjectUnorderedDiff<D: CoreStoreObject>: CoreStoreObjectDiff<Set<D>> {}

/// The change of an ordered to-many relationship, for the observation of a deprecated property.
public final class CoreStoreObjectOrderedDiff<D: CoreStoreObject>: CoreStoreObjectDiff<[D]> {
    /// The changed indexes; empty, because the whole relationship was set.
    public let indexes = IndexSet()
}
