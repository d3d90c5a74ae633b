public import CofferStorage
import CofferStorageTools

/// Upgrades the tables of a store to the current format.
extension SQLDefinition {
    /// Upgrades the tables to the current format.
    ///
    /// The call runs within a transaction of the caller. No other process may have the store open.
    ///
    /// - Parameters:
    ///   - format: the format of the tables.
    ///   - place: the name of the store in errors: the name of its file or database.
    ///   - execute: runs a statement.
    /// - Throws: the error of a statement, with a description of the upgrade.
    public func upgrade(
        from format: SQLFormat, _ place: String, _ execute: (String) throws(StorageError) -> Void
    ) throws(StorageError) {
        guard format != .current else { return }
        let layout = schema.layout
        do throws(StorageError) {
            for step in format.later { for statement in upgrade(to: step) { try execute(statement) } }
            try makeIndexes(execute) { root, slots in .uniqueViolation(upgrading: layout, root: root, slots) }
            try execute(
                "UPDATE \(SQLMetadata.table) SET value = '\(SQLFormat.current.rawValue)' "
                    + "WHERE name = '\(SQLMetadata.format)'")
        } catch {
            var named = error
            named.message =
                "The tables of '\(place)' have format \(format.rawValue) and could not be upgraded to format "
                + "\(SQLFormat.current.rawValue): \(error.message)"
            throw named
        }
    }
}
