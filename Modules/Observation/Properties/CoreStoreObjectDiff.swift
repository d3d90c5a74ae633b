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
