import CofferStorage
import CofferStorageTools
import Foundation
import TestSupport
import Testing

@testable import CofferPostgreSQL

/// The upgrade of stores of the previous format when they are opened.
@Suite(.enabled(if: Postgres.url != nil, "\(Postgres.advice)"))
final class PostgreSQLUpgradeTests {
    private let schema = Postgres.newSchema()
    private let layout: ModelLayout

    init() throws {
        layout = try ModelLayout(JSONDecoder().decode(StoreModel.self, from: Data(OldFormat.model.utf8)))
        try run("CREATE SCHEMA \"\(schema)\"")
        for statement in OldFormat.postgresql { try run(statement) }
    }

    deinit { _ = try? run("DROP SCHEMA IF EXISTS \"\(schema)\" CASCADE") }

    @discardableResult
    private func run(_ text: String) throws -> PostgreSQLResult {
        try connection().execute(text)
    }

    private func connection() throws -> PostgreSQLConnection {
        let address = try PostgreSQLAddress(Postgres.url ?? "", schema: schema)
        return try PostgreSQLConnection(address, PostgreSQLConfiguration())
    }

    private func store(
        timeLimit: Double = 5, _ onStatement: (@Sendable (String) -> Void)? = nil
    ) throws -> PostgreSQLStore {
        try Postgres.store(
            schema, settings: PostgreSQLConfiguration(busyTimeLimit: timeLimit, onStatement: onStatement))
    }

    private func list(_ text: String) throws -> [String] {
        let result = try connection().query(text)
        return (0..<result.rowCount).map { result.string($0, 0) ?? "NULL" }
    }

    private var format: [String] {
        get throws { try list("SELECT value FROM coffer_metadata WHERE name = 'format'") }
    }

    /// Returns the types of the columns and the definitions of the indexes in a schema.
    private func tables(_ schema: String) throws -> [String] {
        let columns = try list(
            "SELECT table_name || '.' || column_name || ' ' || data_type FROM information_schema.columns "
                + "WHERE table_schema = '\(schema)' ORDER BY 1")
        let indexes = try list("SELECT indexdef FROM pg_indexes WHERE schemaname = '\(schema)' ORDER BY 1")
        return (columns + indexes).map { $0.replacingOccurrences(of: schema, with: "s") }
    }

    private func event(_ name: String) -> RowExpression {
        let event = layout.entities[layout.index(of: "Event") ?? 0]
        let slot = event.slot(named: name) ?? 0
        return .column(slot: slot, kind: event.kinds[slot])
    }

    private func values(_ store: PostgreSQLStore) throws -> [[Value]] {
        try store.read { reader throws(StorageError) in
            try reader.rows(RowRequest(entity: layout.index(of: "Event") ?? 0)).map { row in
                layout.entities[row.entity].kinds.enumerated().map { row.value($0, $1) }
            }
        }
    }

    private var expected: [[Value]] {
        let starts = OldFormat.starts.map(Value.date)
        return [
            [.text("first"), .decimal(Decimal(string: "9.99") ?? 0), starts[0], .date(0.000_001), .integer(1)],
            [.text("second"), .null, starts[1], .null, .null],
            [.text("third"), .null, starts[2], .date(9_223_372_036_854.775_807), .null, .date(-0.000_001)],
            [.null, .null, starts[3], .null, .null],
        ]
    }

    @Test func `a store of the previous format is upgraded and keeps its values`() throws {
        let opened = try store()
        let metadata = try opened.open(layout)
        defer { opened.close() }
        #expect(metadata.store.uuidString == OldFormat.store)
        #expect(metadata.model.versionHashes.mapValues { $0.base64EncodedString() } == OldFormat.hashes)
        #expect(try values(opened) == expected)
        let keys = try opened.read { reader throws(StorageError) in
            try reader.keys(
                RowRequest(
                    entity: layout.index(of: "Event") ?? 0,
                    predicate: .compare(event("start"), .greaterOrEqual, .value(.date(0))),
                    order: [RowSort(event("start"), ascending: false)]))
        }
        #expect(keys == [2, 1])
        #expect(try opened.problems(layout) == [])
        #expect(try opened.reserveKeys(1, root: layout.index(of: "Event") ?? 0) == 5..<6)
        #expect(try format == ["2"])

        let other = Postgres.newSchema()
        let new = try Postgres.store(other)
        _ = try new.open(layout)
        defer { try? new.erase() }
        #expect(try tables(schema) == tables(other))
    }

    @Test func `a store of the current format is not upgraded`() throws {
        let first = try store()
        _ = try first.open(layout)
        first.close()
        let said = Locked<[String]>([])
        let second = try store { text in said.withLock { $0.append(text) } }
        _ = try second.open(layout)
        let isUpgrade = { (text: String) in
            text.contains("ALTER TABLE") || text.contains("pg_advisory_xact_lock(hashtextextended('coffer open")
        }
        #expect(!said.withLock(\.self).contains(where: isUpgrade))
        second.close()
    }

    @Test func `an old store is migrated to the new format and the new model in one step`() throws {
        let old = layout.model
        var model = old
        model.version = "V2"
        model.entities[0].attributes[3].name = "finish"
        model.entities[0].attributes[3].renamingIdentifier = "end"
        model.entities[0].indexes = [["name"]]
        #expect(try store().migrate(along: [.inferred(from: old, to: model)]).model.version == "V2")
        #expect(try format == ["2"])
        let migrated = try store()
        _ = try migrated.open(ModelLayout(model))
        #expect(try values(migrated) == expected)
        migrated.close()
    }

    @Test func `an old store that is open elsewhere is not upgraded`() throws {
        let other = try connection()
        // The release that created the store holds this lock while the store is open.
        _ = try other.query(
            "SELECT pg_advisory_lock_shared(hashtextextended('coffer open ' || $1, 0))",
            PostgreSQLParameters([.text(schema)]))
        let error = #expect(throws: StorageError.self) { try self.store(timeLimit: 0.1).open(self.layout) }
        #expect(error?.code == .busy && error?.isRetryable == true)
        #expect(error?.message.hasSuffix("' is open elsewhere. Close it there before it is upgraded.") == true)
        #expect(try format == ["1"])
        withExtendedLifetime(other) {}
    }

    @Test func `an old store that is opened several times at once is upgraded once and used by all`() async throws {
        let (schema, layout, expected) = (schema, layout, expected)
        let upgrades = Locked(0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<6 {
                group.addTask {
                    let settings = PostgreSQLConfiguration(
                        busyTimeLimit: 60,
                        onStatement: { text in if text.hasPrefix("ALTER TABLE") { upgrades.withLock { $0 += 1 } } })
                    let store = try Postgres.store(schema, settings: settings)
                    _ = try await Task.detached { try store.open(layout) }.value
                    let count = try store.read { reader throws(StorageError) in
                        try reader.count(RowRequest(entity: layout.index(of: "Event") ?? 0))
                    }
                    #expect(count == expected.count)
                    store.close()
                }
            }
            try await group.waitForAll()
        }
        #expect(upgrades.withLock(\.self) == 1)
        #expect(try format == ["2"])
    }

    @Test func `an upgrade whose connection is terminated leaves the store unchanged`() throws {
        let schema = schema
        let before = try tables(schema)
        let address = try PostgreSQLAddress(Postgres.url ?? "", schema: schema)
        let ended = Locked(0)
        let ending = try store { text in
            guard text.hasPrefix("UPDATE coffer_metadata") else { return }
            let other = try? PostgreSQLConnection(address, PostgreSQLConfiguration())
            let result = try? other?.execute(
                "SELECT pg_terminate_backend(pid, 30000)::int::bigint FROM pg_locks "
                    + "WHERE relation = '\"\(schema)\".\"Event\"'::regclass AND mode = 'AccessExclusiveLock'")
            ended.withLock { $0 += result?.rowCount ?? 0 }
        }
        let error = #expect(throws: StorageError.self) { try ending.open(self.layout) }
        #expect(ended.withLock(\.self) == 1)
        #expect(error?.code == .unavailable && error?.isRetryable == true)
        #expect(try format == ["1"])
        #expect(try tables(schema) == before)
        let again = try store()
        _ = try again.open(layout)
        #expect(try values(again) == expected)
        again.close()
    }

    @Test func `a failed upgrade leaves the store unchanged and names the problem`() throws {
        // These microseconds are equal as doubles. So far from 2001, neighbouring doubles are about two milliseconds
        // apart.
        for (key, start) in [(5, 9_007_199_254_740_992_001), (6, 9_007_199_254_740_992_002)] {
            try run("INSERT INTO \"Event\" VALUES (\(key), 1, 'Event', NULL, NULL, \(start), NULL, NULL, NULL)")
        }
        let before = try tables(schema)
        let error = #expect(throws: StorageError.self) { try self.store().open(self.layout) }
        #expect(error?.code == .uniqueViolation)
        #expect(
            error?.message.hasSuffix(
                """
                ' have format 1 and could not be upgraded to format 2: 'Event.start' must be unique, but rows have \
                values that become equal in the later format. Change one of these values with the release of Coffer \
                that created the store.
                """) == true)
        #expect(try tables(schema) == before)
        #expect(try format == ["1"])
    }

    @Test func `an upgrade by a user who may not change the tables is refused and asks for the owner`() throws {
        let role = "writer_\(UUID().uuidString.lowercased())"
        try run("CREATE ROLE \"\(role)\" LOGIN")
        defer { _ = try? run("DROP OWNED BY \"\(role)\"; DROP ROLE \"\(role)\"") }
        try run("GRANT USAGE ON SCHEMA \"\(schema)\" TO \"\(role)\"")
        try run("GRANT ALL ON ALL TABLES IN SCHEMA \"\(schema)\" TO \"\(role)\"")
        let server = try #require(Postgres.url)
        let other = try PostgreSQLStore(
            url: "\(server)\(server.contains("?") ? "&" : "?")user=\(role)", schema: schema)
        let error = #expect(throws: StorageError.self) { try other.open(self.layout) }
        #expect(error?.code == .readOnly)
        #expect(
            error?.message.hasSuffix(
                "' have format 1, and this user may not change them. Open the store once as their owner.") == true)
        #expect(try format == ["1"])
    }

    @Test func `a store of a newer format is refused and not changed`() throws {
        try run("UPDATE coffer_metadata SET value = '3' WHERE name = 'format'")
        // A later release may store other metadata.
        try run("DELETE FROM coffer_metadata WHERE name = 'model'")
        let reasons = [
            #expect(throws: StorageError.self) { try self.store().open(self.layout) },
            #expect(throws: StorageError.self) { try self.store().inspect() },
        ]
        for reason in reasons {
            #expect(
                reason?.message.hasSuffix(
                    """
                    ' has format 3 of a later release of Coffer. This release supports formats up to 2. To open the \
                    store, update the program, or its version of Coffer.
                    """) == true)
        }
        #expect(try format == ["3"])
    }
}
