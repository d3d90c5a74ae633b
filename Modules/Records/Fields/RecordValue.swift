public import CofferStorage

/// The value of a record for a key: one value, a list of values, or no value.
public enum RecordValue: Sendable, Hashable {
    /// The record does not have the key.
    case absent
    /// One value, or null.
    case value(Value)
    /// A list of values.
    case list([Value])
}
