public import Foundation

/// The change of an archived object, for the observation of a deprecated property.
public final class CoreStoreObjectTransformableDiff<V: NSCoding & NSCopying> {
    /// The kind of the change: the property was set.
    public let kind = ChangeKind.setting
    /// The new value, if the options request it; nil before the change.
    public let newValue: V?
    /// The former value, if the options request it; nil otherwise.
    public let oldValue: V?
    /// Whether the property still has its former value.
    public let isPrior: Bool

    init(_ change: PropertyChange<V?>) {
        newValue = change.newValue ?? nil
        oldValue = change.oldValue ?? nil
        isPrior = change.isPrior
    }
}
