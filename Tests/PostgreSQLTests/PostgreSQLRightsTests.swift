import CofferPostgreSQL
import CofferStorage
import CofferStorageTools
import Foundation
import TestSupport
import Testing

/// The operations that a role with few rights can perform.
@Suite(.enabled(if: Postgres.url != nil, "\(Postgres.advice)"))
struct PostgreSQLRightsTests {
    /// Creates a role without rights, and returns its name.
    private func role(_ fixture: PostgreSQLFixture) throws -> String {
        let role = "reader_\(UUID().uuidString.lowercased())"
        try fixture.run("CREATE ROLE \"\(role)\" LOGIN")
        return role
    }

    private func grant(_ right: String, _ role: String, _ fixture: PostgreSQLFixture) throws {
        try fixture.run("GRANT \(right) TO \"\(role)\"")
    }

    /// Returns the fixture's store, to which a role connects.
    private func store(_ role: String, _ fixture: PostgreSQLFixture) throws -> PostgreSQLStore {
        let server = try #require(Postgres.url)
        return try PostgreSQLStore(
            url: "\(server)\(server.contains("?") ? "&" : "?")user=\(role)", schema: fixture.schema)
    }

    @Test func `a user without read permission gets a permission error, not a report of damage`() throws {
        let fixture = try PostgreSQLFixture()
        let role = try role(fixture)
        defer { _ = try? fixture.run("DROP OWNED BY \"\(role)\"; DROP ROLE \"\(role)\"") }
        let store = try store(role, fixture)
        for right in ["", "USAGE ON SCHEMA \"\(fixture.schema)\""] {
            if !right.isEmpty { try grant(right, role, fixture) }
            for attempt in [{ _ = try store.inspect() }, { _ = try store.open(fixture.layout) }] {
                let error = #expect(throws: StorageError.self) { try attempt() }
                #expect(error?.code == .unavailable)
                #expect(error?.message.hasPrefix("This user may not read '") == true)
                #expect(error?.message.contains("(PostgreSQL error 42501: permission denied for ") == true)
            }
        }
        try grant("SELECT ON ALL TABLES IN SCHEMA \"\(fixture.schema)\"", role, fixture)
        #expect(try store.inspect() == fixture.store.inspect())
    }

    @Test func `a schema that the user may not use is a permission error, not a store without tables`() throws {
        let fixture = try PostgreSQLFixture()
        fixture.store.close()
        try fixture.store.erase()
        try fixture.run("CREATE SCHEMA IF NOT EXISTS \"\(fixture.schema)\"")
        let role = try role(fixture)
        defer { _ = try? fixture.run("DROP OWNED BY \"\(role)\"; DROP ROLE \"\(role)\"") }
        let error = try #require(throws: StorageError.self) { _ = try store(role, fixture).open(fixture.layout) }
        #expect(error.code == .unavailable)
        #expect(error.message.hasPrefix("This user may not read '"))
        #expect(error.message.contains("permission denied for schema \(fixture.schema)"))
    }

    @Test func `a user with only read permission can check and copy a store`() throws {
        let fixture = try PostgreSQLFixture()
        for text in ["a", "b"] { try fixture.insert(text) }
        let role = try role(fixture)
        try grant("USAGE ON SCHEMA \"\(fixture.schema)\"", role, fixture)
        try grant("SELECT ON ALL TABLES IN SCHEMA \"\(fixture.schema)\"", role, fixture)
        defer { _ = try? fixture.run("DROP OWNED BY \"\(role)\"; DROP ROLE \"\(role)\"") }
        let store = try store(role, fixture)
        defer { store.close() }
        _ = try store.open(fixture.layout)
        let denied = #expect(throws: StorageError.self) { try store.reserveKeys(1, root: 0) }
        #expect(denied?.code == .readOnly)
        #expect(denied?.message.contains(": permission denied for table coffer_keys. Grant the user ") == true)
        var changes = ChangeSet()
        changes.inserts = [.init(row: try fixture.row(9, "c", 0))]
        // The insertion is a transaction of its own, and fails before it commits.
        let refused = #expect(throws: StorageError.self) { try store.commit(changes) }
        #expect(refused?.code == .readOnly)
        #expect(refused?.message.contains(": permission denied for table Note. Grant the user ") == true)
        #expect(try store.reserveKeys(0, root: 0) == 3..<3)
        #expect(try store.problems(fixture.layout) == [])
        let copy = try Postgres.store(Postgres.newSchema())
        defer { try? copy.erase() }
        #expect(try store.copy(fixture.layout, to: copy).rowCount == 2)
        _ = try copy.open(fixture.layout)
        #expect(try copy.reserveKeys(1, root: 0) == 3..<4)
    }

    @Test func `the next key is computed from the rows if it is not recorded`() throws {
        let fixture = try PostgreSQLFixture()
        try fixture.insert("a")
        try fixture.run("DELETE FROM coffer_keys")
        #expect(try fixture.store.reserveKeys(0, root: 0) == 2..<2)
        try fixture.run("UPDATE \"Note\" SET coffer_key = \(Int64.max)")
        let error = #expect(throws: StorageError.self) { try fixture.store.reserveKeys(0, root: 0) }
        #expect(error?.code == #expect(throws: StorageError.self) { try fixture.store.reserveKeys(1, root: 0) }?.code)
    }
}
