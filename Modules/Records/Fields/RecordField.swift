public import CofferStorage

/// A field of the records of a file: its key and the type of its values.
public struct RecordField: Sendable, Hashable {
    /// The key.
    public var name: String
    /// The type of the values.
    public var type: AttributeType
    /// Whether the value may be null.
    public var isOptional: Bool
    /// Whether the value is a list of values of the type, such as the related objects of a to-many relationship.
    public var isList: Bool
    /// Whether the strings are UUIDs, which are read in lower case, as in the stores.
    public var isUUID: Bool

    /// Creates a key with values of a type.
    public init(
        name: String, type: AttributeType, isOptional: Bool, isList: Bool = false, isUUID: Bool = false
    ) {
        self.name = name
        self.type = type
        self.isOptional = isOptional
        self.isList = isList
        self.isUUID = isUUID
    }
}
