package import CofferStorage

/// Reads the stored value of a field from a row, without the accessors of the field.
extension FieldContainer.Stored {
    /// Returns the stored value of this meta object's field in a row, without the accessors of the field.
    ///
    /// If the stored value is not a value of the field's type, the default is returned, and a warning is logged.
    package func value(in row: Row, of id: ObjectID, _ entity: EntityLayout) -> V? {
        guard let field = word.descriptor else { return nil }
        if let slot = entity.slot(named: field.keyPath) {
            if let value = V._read(row, slot) { return value }
            Diagnostics.log(
                .warning,
                "'\(O.self).\(field.keyPath)' of \(id) has no value of type '\(V.self)'. Its default was used.")
        }
        return field.fallback(V.self)
    }
}

extension FieldContainer.Coded {
    /// Returns the stored value of this meta object's field in a row, without the accessors of the field.
    ///
    /// If the stored value cannot be decoded, the default is returned, and the error is logged.
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
