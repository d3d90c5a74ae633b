public import CofferStorage

/// Converts the attributes of an entity to the keys of records.
extension ModelLayout {
    /// Returns the attributes of an entity as keys of records, with their slots.
    ///
    /// A file cannot contain object ids.
    public func recordFields(of entity: EntityLayout) -> [(slot: Int, field: RecordField)] {
        entity.columns.enumerated().compactMap { slot, column in
            recordField(of: column).map { (slot, $0) }
        }
    }

    /// Returns an attribute as a key of records; nil if the column is no attribute, or contains object ids.
    public func recordField(of column: Column) -> RecordField? {
        guard case .attribute(let type) = column.role, type != .objectIDAttributeType else { return nil }
        let isUUID = model.entities[column.owner].attributes.contains { $0.name == column.name && $0.isUUID }
        return RecordField(name: column.name, type: type, isOptional: column.isOptional, isUUID: isUUID)
    }
}
