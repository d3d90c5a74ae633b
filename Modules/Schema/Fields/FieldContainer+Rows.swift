package import CofferStorage

extension FieldContainer.Stored {
    /// What a row holds of the field of a meta object, past its accessors; the default where that is no value of it.
    package func value(in row: Row, of entity: EntityLayout) -> V? {
        guard let field = word.descriptor, case .stored(let stored) = field.kind else { return nil }
        if let slot = entity.slot(named: field.keyPath), let value = V._read(row, slot) { return value }
        return V._fromStoredValue(stored.defaultValue) ?? (try? stored.dynamicInitialValue?()) as? V
    }
}

extension FieldContainer.Coded {
    /// What a row holds of the field of a meta object, past its accessors; the default where that is no value of it.
    package func value(in row: Row, of entity: EntityLayout) -> V? {
        guard let field = word.descriptor, case .stored(let stored) = field.kind else { return nil }
        if let slot = entity.slot(named: field.keyPath), let coding = stored.coding as? FieldCoding<V>,
            let value = try? coding.decode(row.isNull(slot) ? nil : row.blob(slot))
        {
            return value
        }
        return (stored.fallback as? FieldFallback<V>)?.value()
    }
}
