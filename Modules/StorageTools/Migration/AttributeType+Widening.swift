import CofferStorage

/// Lists the attribute types whose values convert to another type without loss, for inferred migrations.
extension AttributeType {
    /// Whether each value of this type is a value of another type, or converts to one without loss.
    func widens(to other: AttributeType) -> Bool {
        if self == other { return true }
        return switch (self, other) {
        case (.integer16AttributeType, .integer32AttributeType), (.integer16AttributeType, .integer64AttributeType),
            (.integer32AttributeType, .integer64AttributeType), (.integer16AttributeType, .floatAttributeType),
            (.integer16AttributeType, .doubleAttributeType), (.integer32AttributeType, .doubleAttributeType),
            (.integer16AttributeType, .decimalAttributeType), (.integer32AttributeType, .decimalAttributeType),
            (.integer64AttributeType, .decimalAttributeType), (.floatAttributeType, .doubleAttributeType):
            true
        default: false
        }
    }
}
