/// The options of the observation of a property: new and old values, and initial and prior calls.
public struct ObservationOptions: OptionSet, Hashable, Sendable {
    /// The options as bits.
    public let rawValue: UInt

    /// Creates options from bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The new value.
    public static let new = ObservationOptions(rawValue: 1 << 0)
    /// The former value.
    public static let old = ObservationOptions(rawValue: 1 << 1)
    /// A call when the observation begins.
    public static let initial = ObservationOptions(rawValue: 1 << 2)
    /// An additional call before each change, while the property has its former value.
    public static let prior = ObservationOptions(rawValue: 1 << 3)
}

/// The kind of a change of a property.
public enum ChangeKind: UInt, Hashable, Sendable {
    /// The property was set.
    case setting = 1
    /// Objects were inserted into the property.
    case insertion = 2
    /// Objects were removed from the property.
    case removal = 3
    /// Objects in the property were replaced by others.
    case replacement = 4
}

#if !canImport(ObjectiveC)
    /// The name of the options in Foundation.
    public typealias NSKeyValueObservingOptions = ObservationOptions
    /// The name of the kind of a change in Foundation.
    public typealias NSKeyValueChange = ChangeKind
#endif
