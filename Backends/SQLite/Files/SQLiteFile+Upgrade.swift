import CofferSQL
import CofferStorage
import Foundation

/// Upgrades a file from an older format to the current format.
extension SQLiteFile {
    /// Upgrades the file to the current format in one transaction, while no other process has the file open.
    ///
    /// The upgrade is tried once. If several processes open a file at once, one of them upgrades it, and the others
    /// find that it needs no upgrade any more.
    ///
    /// - Parameter end: the time after which a file that is open elsewhere is an error.
    /// - Returns: false if the file is open elsewhere before this time.
    /// - Throws: `busy` if the file is open elsewhere after this time.
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

    /// Upgrades the tables to the current format, within a transaction with exclusive access to the file.
    ///
    /// - Returns: the metadata of the file; nil if the file is empty.
    func upgrade(_ connection: SQLiteConnection) throws(StorageError) -> StoreMetadata? {
        guard let found = try SQLiteSchema.description(connection) else { return nil }
        if found.format != .current {
            let schema = SQLiteSchema(schema: SQLSchema(try ModelLayout(found.metadata.model)))
            try schema.upgrade(from: found.format, name, connection.execute)
        }
        return found.metadata
    }
}
