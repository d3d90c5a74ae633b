import Foundation

extension ChangeSet {
    /// Refuses what is not a number (NaN) in a column of numbers or dates.
    ///
    /// Databases disagree about it: one keeps it as a number, another as a text that cannot be read back.
    ///
    /// - Parameter layout: the model of the store.
    /// - Throws: `invalidValue`, naming the entity and the attribute.
    public func checkNumbers(_ layout: ModelLayout) throws(StorageError) {
        for insert in inserts { try layout.entities[insert.row.entity].checkNumbers(insert.row) }
        for update in updates { try layout.entities[update.row.entity].checkNumbers(update.row, in: update.columns) }
    }
}

extension EntityLayout {
    /// Refuses a row of the entity with a NaN in some columns, or in any.
    package func checkNumbers(_ row: Row, in columns: ColumnSet? = nil) throws(StorageError) {
        for slot in doubleSlots where row.double(slot).isNaN {
            if !row.isNull(slot), columns?.contains(slot) ?? true { throw notANumber(slot) }
        }
        for slot in decimalSlots where !row.isNull(slot) && columns?.contains(slot) ?? true {
            if row.decimal(slot).isNaN { throw notANumber(slot) }
        }
    }

    private func notANumber(_ slot: Int) -> StorageError {
        StorageError(
            .invalidValue,
            "'\(name).\(columns[slot].name)' is not a number (NaN), which cannot be saved. Use an optional field.")
    }
}
