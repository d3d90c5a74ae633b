public import CofferStorage
import Foundation

/// Refuses commits with NaN, or with a row whose version cannot increase.
extension ChangeSet {
    /// Refuses NaN in a column of numbers or dates, and a row with the highest possible version.
    ///
    /// Databases treat NaN differently: one stores a number, another stores a string that cannot be read back.
    ///
    /// - Parameter layout: the model of the store.
    /// - Throws: `invalidValue` with the entity and the attribute.
    public func checkNumbers(_ layout: ModelLayout) throws(StorageError) {
        for insert in inserts { try layout.entities[insert.row.entity].checkNumbers(insert.row) }
        for update in updates {
            try layout.entities[update.row.entity].checkNumbers(update.row, in: update.columns)
            try layout.checkVersion(update.row)
        }
    }
}

extension ModelLayout {
    /// Refuses to change a row whose version cannot increase.
    ///
    /// No program reaches this version by changing rows; it was written directly to the file or database.
    ///
    /// - Throws: `invalidValue` with the entity and the key.
    public func checkVersion(_ row: Row) throws(StorageError) {
        guard row.version == .max else { return }
        throw StorageError(
            .invalidValue,
            "Row \(row.key) of '\(entities[row.entity].name)' cannot be changed, because it has the highest possible "
                + "version. Set its version to 1 in the file or database.")
    }
}

extension EntityLayout {
    /// Refuses a row of the entity with a NaN in the given columns, or in any column.
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
            "'\(name).\(columns[slot].name)' is not a number (NaN) and cannot be saved. Use an optional field.")
    }
}
