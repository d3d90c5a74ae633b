import CofferSQL
import CofferStorage
import Foundation

/// Upgrades a file from an older format to the current format.
extension SQLiteFile {
    /// Takes the file to the current format in one transaction, holding it alone meanwhile.
    ///
    /// Tried once: of several processes that open a file at once, one upgrades it, and the others find that it needs no
    /// upgrade any more.
    ///
    /// - Parameter end: when a file that is open elsewhere is an error.
    /// - Returns: false when the file is open elsewhere, before that time.
    /// - Throws: `busy` when it is, after that time.
    func upgrade(until end: Date) throws(StorageError) -> Bool {
        do throws(StorageError) {
            try whenAlone(orThrow: busy(before: "upgraded"), until: .distantPast) { connection throws(StorageError) in
                _ = try beginExclusively(connection)
                do throws(StorageError) {
                    _ = try upgrade(connection)
                    try connection.checkPlace()
                    try connection.execute("COMMIT")
                } catch {
                    connection.rollBack()
                    throw error
                }
            }
        } catch {
            guard error.code == .busy, Date() < end else { throw error }
            Thread.sleep(forTimeInterval: .random(in: 0.005...0.03))
            return false
        }
        return true
    }

    /// Takes the tables to the current format, within a transaction in which nobody else has the file.
    ///
    /// - Returns: what the file says about itself; nil when it is empty.
    func upgrade(_ connection: SQLiteConnection) throws(StorageError) -> StoreMetadata? {
        guard let found = try SQLiteSchema.description(connection) else { return nil }
        if found.format != .current {
            let schema = SQLiteSchema(schema: SQLSchema(try ModelLayout(found.metadata.model)))
            try schema.upgrade(from: found.format, name, connection.execute)
        }
        return found.metadata
    }
}
