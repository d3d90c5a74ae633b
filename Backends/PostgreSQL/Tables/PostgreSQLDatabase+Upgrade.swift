import CofferSQL
import CofferStorage

/// Upgrades the tables of a store from an older format to the current format.
extension PostgreSQLDatabase {
    /// Converts the tables to the current format, in a transaction in which no other process has the store open.
    func upgrade(_ found: SQLDescription, _ connection: PostgreSQLConnection) throws(StorageError) {
        guard found.format != .current else { return }
        try liftTimeLimits(connection)
        let layout = try ModelLayout(found.metadata.model)
        let schema = PostgreSQLSchema(schema: SQLSchema(layout, naming: PostgreSQLDialect.naming))
        do throws(StorageError) {
            try schema.upgrade(from: found.format, address.name) { text throws(StorageError) in
                try connection.execute(text)
            }
        } catch {
            guard error.code == .readOnly else { throw error }
            throw StorageError(
                .readOnly,
                "The tables of '\(address.name)' have format \(found.format.rawValue), and this user may not change "
                    + "them. Open the store once as their owner.", cause: error.cause)
        }
    }
}
