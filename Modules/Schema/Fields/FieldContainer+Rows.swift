package import CofferStorage

/// Reads the stored value of a field from a row, without the accessors of the field.
extension FieldContainer.Stored {
    /// The stored value of the field of a meta object in an object's row, without its accessors.
    ///
    /// A value that is none of the field's type is logged, and the default is returned.
    package func value(in row: Row, of id: ObjectID, _ entity: EntityLayout) -> V? {
        guard let field = word.descriptor else { return nil }
        if let slot = entity.slot(named: field.keyPath) {
            if let value = V._read(row, slot) { return value }
            Diagnostics.log(
                .warning,
                "'\(O.self).\(field.keyPath)' of \(id) holds no '\(V.self)'. Its default was read instead.")
        }
        return field.fallback(V.self)
    }
}

extension FieldContainer.Coded {
    /// The stored value of the field of a meta object in an object's row, without its accessors.
    ///
    /// A value that cannot be decoded is logged, and the default is returned.
    package func value(in row: Row, of id: ObjectID, _ entity: EntityLayout) -> V? {
        guard let field = word.descriptor else { return nil }
        if let slot = entity.slot(named: field.keyPath), let coding: FieldCoding<V> = field.coding(),
            let value = field.decoded(coding, row, slot, of: id, O.self)
        {
            return value
        }
        return (field.fallback() as FieldFallback<V>?)?.value()
    }
}
