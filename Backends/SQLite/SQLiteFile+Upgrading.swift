import CofferSQL
import CofferStorage
import Foundation

/// Files of older formats.
extension SQLiteFile {
    /// A connection that writes, to a file of the current format: one of an older format is upgraded before.
    ///
    /// The file is made when there is none. Of several who open one of an older format at once, one upgrades it while
    /// the others wait, as they wait for one who writes.
    ///
    /// - Throws: `busy` when a file of an older format is open elsewhere for longer than that.
    func upgradedConnection() throws(StorageError) -> SQLiteConnection {
        let end = Date(timeIntervalSinceNow: configuration.busyTimeLimit)
        while true {
            if let connection = try currentConnection() { return connection }
            do throws(StorageError) {
                try upgrade()
            } catch {
                guard error.code == .busy, Date() < end else { throw error }
                Self.waitForOthers()
            }
        }
    }

    /// A connection to a file that needs no upgrade; nil, and none is left, where it does.
    ///
    /// A file that cannot be written is for the caller to refuse.
    private func currentConnection() throws(StorageError) -> SQLiteConnection? {
        let connection = try SQLiteConnection(path: path, access: .write(creates: true), configuration: configuration)
        let found = try SQLiteSchema.description(connection)
        guard let found, found.format != .current, !connection.isReadOnly else { return connection }
        return nil
    }

    /// Takes the file to the current format in one transaction, holding it alone meanwhile.
    private func upgrade() throws(StorageError) {
        let connection = try exclusiveConnection(before: "upgraded", until: .distantPast)
        do throws(StorageError) {
            _ = try upgrade(connection)
            try connection.execute("COMMIT")
        } catch {
            connection.rollBack()
            throw error
        }
    }

    /// Takes the tables to the current format, within a transaction in which nobody else has the file.
    ///
    /// - Returns: what the file says about itself; nil when it is empty.
    func upgrade(_ connection: SQLiteConnection) throws(StorageError) -> StoreMetadata? {
        guard let found = try SQLiteSchema.description(connection) else { return nil }
        if found.format != .current {
            let schema = SQLiteSchema(SQLSchema(try ModelLayout(found.metadata.model)))
            try schema.upgrade(from: found.format, name, connection.execute)
        }
        return found.metadata
    }
}
