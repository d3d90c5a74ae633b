public import CofferStorage

/// A key of the records of a file, and the type of its values.
public struct RecordField: Sendable, Hashable {
    /// The key.
    public var name: String
    /// The type of the values.
    public var type: AttributeType
    /// Whether the value may be null.
    public var isOptional: Bool
    /// Whether the value is a list of values of the type, as the related objects of a to-many relationship are.
    public var isList: Bool

    /// A key with values of a type.
    public init(name: String, type: AttributeType, isOptional: Bool, isList: Bool = false) {
        self.name = name
        self.type = type
        self.isOptional = isOptional
        self.isList = isList
    }
}

/// The value that a record has for a key.
public enum RecordValue: Sendable, Hashable {
    /// The record does not have the key.
    case absent
    /// One value, or null.
    case value(Value)
    /// A list of values.
    case list([Value])
}

/// Why a record does not fit its fields.
package struct RecordFieldError: Error {
    package let key: String
    package let reason: String

    package init(key: String, reason: String) {
        self.key = key
        self.reason = reason
    }
}
