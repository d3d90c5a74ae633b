/// The declared types of attributes, with the names of Core Data, and the kind of column for each type.
///
/// The type determines how a value is stored and compared; see ``ColumnKind``. The width of a number is relevant only
/// for validation: a store may keep every integer in 64 bits.
public enum AttributeType: String, Hashable, Sendable, Codable, CaseIterable {
    case undefinedAttributeType = "undefined"
    case integer16AttributeType = "integer16"
    case integer32AttributeType = "integer32"
    case integer64AttributeType = "integer64"
    case decimalAttributeType = "decimal"
    case doubleAttributeType = "double"
    case floatAttributeType = "float"
    case stringAttributeType = "string"
    case booleanAttributeType = "boolean"
    case dateAttributeType = "date"
    case binaryDataAttributeType = "binary"
    case transformableAttributeType = "transformable"
    case objectIDAttributeType = "objectID"

    /// The form of a value of this type in a ``Row`` and in a store.
    public var columnKind: ColumnKind {
        switch self {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType: .integer
        case .decimalAttributeType: .decimal
        case .doubleAttributeType, .floatAttributeType: .double
        case .stringAttributeType: .text
        case .booleanAttributeType: .boolean
        case .dateAttributeType: .date
        case .binaryDataAttributeType, .transformableAttributeType, .undefinedAttributeType: .blob
        case .objectIDAttributeType: .reference
        }
    }
}
