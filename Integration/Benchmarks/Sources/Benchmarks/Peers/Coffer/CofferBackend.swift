import Coffer
import CofferInMemory
import CofferPostgreSQL
import CofferSQLite
import Foundation

/// The difference between two Coffer peers: the store of the stack.
protocol CofferBackend {
    static var name: String { get }
    static var keepsFiles: Bool { get }

    static func addStorage(to stack: DataStack, in directory: URL) throws

    /// Waits until the database is ready to be measured; see `Peer.settle`.
    static func settle(_ stack: DataStack, in directory: URL) throws
}

extension CofferBackend {
    static func settle(_ stack: DataStack, in directory: URL) throws {}
}

enum OnSQLite: CofferBackend {
    static let name = "coffer-sqlite"
    static let keepsFiles = true

    static func addStorage(to stack: DataStack, in directory: URL) throws {
        try stack.addStorageAndWait(SQLiteStore(fileURL: directory.appendingPathComponent("coffer.sqlite")))
    }
}

enum InMemory: CofferBackend {
    static let name = "coffer-memory"
    static let keepsFiles = false

    static func addStorage(to stack: DataStack, in directory: URL) throws {
        try stack.addStorageAndWait(InMemoryStore())
    }
}

enum OnPostgreSQL: CofferBackend {
    static let name = "coffer-postgresql"
    static let keepsFiles = false

    static func addStorage(to stack: DataStack, in directory: URL) throws {
        let store = try PostgreSQLStore(
            url: PostgreSQLServer.connectionURL(), schema: PostgreSQLServer.schema(of: name, in: directory))
        try store.erase()
        try stack.addStorageAndWait(store)
    }

    /// Also opens the connection for reading, because the connection of the libpq peer is also open.
    static func settle(_ stack: DataStack, in directory: URL) throws {
        try PostgreSQLServer.analyze(PostgreSQLServer.schema(of: name, in: directory))
        _ = try stack.fetchCount(From<CofferModel.Parent>())
    }
}
