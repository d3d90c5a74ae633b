import CofferConformance
import CofferStorage
import TestSupport

@testable import CofferPostgreSQL

/// Stores with the settings for a pooler that gives each transaction another connection.
///
/// Each store has its own connections. Before it closes them, it searches them for state that a pooler would pass to
/// other clients.
struct SessionlessFixture: StorageFixture {
    struct Findings {
        /// The number of searched sessions.
        var sessions = 0
        /// The state that was kept in the sessions.
        var kept: [String] = []
    }

    static let isShared = true
    static let findings = Locked(Findings())

    private let schema = Postgres.newSchema()

    func makeStore() throws -> any StorageInterface {
        SearchedStore(try Postgres.store(schema, settings: PostgreSQLConfiguration(keepsStatements: false)))
    }

    func destroy() { try? Postgres.store(schema).erase() }
}

/// A store whose sessions are searched before it is closed.
private final class SearchedStore: StorageInterface {
    static let storeType = PostgreSQLStore.storeType

    private let base: PostgreSQLStore

    init(_ base: PostgreSQLStore) { self.base = base }

    var configuration: ModelConfiguration { base.configuration }
    var storeDescription: String { base.storeDescription }

    func inspect() throws(StorageError) -> StoreMetadata? { try base.inspect() }
    func open(_ layout: ModelLayout) throws(StorageError) -> StoreMetadata { try base.open(layout) }
    func makeReader() throws(StorageError) -> any StorageReader { try base.makeReader() }
    func commit(_ changes: ChangeSet) throws(StorageError) -> CommitResult { try base.commit(changes) }

    func reserveKeys(_ count: Int, root: Int) throws(StorageError) -> Range<Int64> {
        try base.reserveKeys(count, root: root)
    }

    func close() {
        search()
        base.close()
    }

    func erase() throws(StorageError) {
        search()
        try base.erase()
    }

    private func search() {
        guard let session = base.openSession else { return }
        var readers: [PostgreSQLConnection] = []
        do throws(StorageError) {
            try session.write { writer throws(StorageError) in try search(writer.connection) }
            for _ in 0..<base.settings.idleReaders {
                try readers.append(
                    session.servers.primary.take { connection throws(StorageError) in try search(connection) })
            }
        } catch {
            SessionlessFixture.findings.withLock { $0.kept.append("\(error)") }
        }
        for reader in readers { session.servers.primary.giveBack(reader) }
    }

    private func search(_ connection: PostgreSQLConnection) throws(StorageError) {
        let found = try connection.execute(
            """
            SELECT 'statement ' || statement FROM pg_prepared_statements
            UNION ALL SELECT 'cursor ' || statement FROM pg_cursors WHERE is_holdable
            UNION ALL SELECT 'lock ' || mode FROM pg_locks WHERE pid = pg_backend_pid() AND locktype = 'advisory'
            UNION ALL SELECT 'setting ' || name FROM pg_settings WHERE source = 'session'
            UNION ALL SELECT 'table ' || relname FROM pg_class WHERE relnamespace = pg_my_temp_schema()
            UNION ALL SELECT 'channel ' || pg_listening_channels()
            """)
        SessionlessFixture.findings.withLock { findings in
            findings.sessions += 1
            findings.kept += (0..<found.rowCount).map { found.string($0, 0) ?? "" }
        }
    }
}
