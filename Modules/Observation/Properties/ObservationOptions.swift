/// What an observer of one property is told.
public struct ObservationOptions: OptionSet, Hashable, Sendable {
    /// The options as bits.
    public let rawValue: UInt

    /// Options by their bits.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// The new value.
    public static let new = ObservationOptions(rawValue: 1 << 0)
    /// The former value.
    public static let old = ObservationOptions(rawValue: 1 << 1)
    /// Once when the observation begins.
    public static let initial = ObservationOptions(rawValue: 1 << 2)
    /// Also before each change, while the property has its former value.
    public static let prior = ObservationOptions(rawValue: 1 << 3)
}

/// How a property was changed.
public enum ChangeKind: UInt, Hashable, Sendable {
    /// It was set.
    case setting = 1
    /// Objects came into it.
    case insertion = 2
    /// Objects left it.
    case removal = 3
    /// Objects took the place of others.
    case replacement = 4
}

#if !canImport(ObjectiveC)
    /// The name under which Foundation knows the options.
    public typealias NSKeyValueObservingOptions = ObservationOptions
    /// The name under which Foundation knows the kind of a change.
    public typealias NSKeyValueChange = ChangeKind
#endif
