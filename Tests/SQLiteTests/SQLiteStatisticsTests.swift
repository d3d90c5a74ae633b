import CofferStorage
import CofferStorageTools
import Foundation
import TestSupport
import Testing

@testable import CofferSQLite

/// Large commits keep the statistics of their tables fresh.
struct SQLiteStatisticsTests {
    /// Saves persons with keys, in one commit.
    private func insert(_ keys: Range<Int64>, into fixture: SQLiteFixture) throws {
        var changes = ChangeSet()
        changes.inserts = try persons(keys, fixture).map { ChangeSet.Insert(row: $0) }
        _ = try fixture.store.commit(changes)
    }

    private func persons(_ keys: Range<Int64>, _ fixture: SQLiteFixture) throws -> [Row] {
        try keys.map { key in
            try fixture.row(
                "Person", key, ["name": .text("P\(key % 10)"), "age": .integer(key), "active": .boolean(true)])
        }
    }

    /// Returns the statistics of the index of the names: the number of rows, and of rows with one name.
    private func statistics(_ fixture: SQLiteFixture) throws -> String? {
        let connection = try SQLiteConnection(
            path: fixture.fileURL.path(percentEncoded: false), access: .read, options: SQLiteConfiguration())
        guard try connection.text("SELECT 1 FROM sqlite_master WHERE name = 'sqlite_stat1'") != nil else { return nil }
        return try connection.text("SELECT stat FROM sqlite_stat1 WHERE idx = 'coffer_index_Person_name'")
    }

    private func rows(_ statistics: String) -> Int { statistics.split(separator: " ").first.flatMap { Int($0) } ?? 0 }

    @Test func `a large commit analyzes a table, and again when it is ten times as large`() throws {
        let fixture = try SQLiteFixture()
        try insert(1..<900, into: fixture)
        #expect(try statistics(fixture) == nil)
        try insert(1_000..<2_000, into: fixture)
        // SQLite estimates the number of rows, because it does not read the whole index.
        let first = try #require(try statistics(fixture))
        #expect((1_000..<3_000).contains(rows(first)), "\(first)")
        try insert(2_000..<4_000, into: fixture)
        #expect(try statistics(fixture) == first)
        try insert(4_000..<24_000, into: fixture)
        let second = try #require(try statistics(fixture))
        #expect((15_000..<35_000).contains(rows(second)), "\(second)")
    }

    @Test(arguments: [(999, nil), (1_000, 1_000...1_000), (20_000, 15_000...35_000)] as [(Int64, ClosedRange<Int>?)])
    func `a large table has statistics after a load, and after a migration recreates the table`(
        _ count: Int64, _ expected: ClosedRange<Int>?
    ) throws {
        let fixture = try SQLiteFixture()
        let persons = try persons(1..<count + 1, fixture)
        try fixture.store.erase()
        try fixture.store.load(fixture.layout, as: UUID()) { loader throws(StorageError) in try loader.add(persons) }
        let loaded = try statistics(fixture).map(rows)
        #expect(loaded.map { expected?.contains($0) == true } == expected.map { _ in true }, "\(loaded ?? 0)")

        var next = SQLiteFixture.model
        next.version = "V2"
        let entity = fixture.entity("Person")
        next.entities[entity].attributes.append(.init(name: "size", type: .doubleAttributeType, isOptional: true))
        try fixture.store.migrate(along: [.inferred(from: SQLiteFixture.model, to: next)])
        let migrated = try statistics(fixture).map(rows)
        #expect(migrated.map { expected?.contains($0) == true } == expected.map { _ in true }, "\(migrated ?? 0)")
    }

    @Test func `a commit is saved although its table cannot be analyzed`() throws {
        let fixture = try SQLiteFixture()
        try SQLiteFixture.execute("ANALYZE; DROP TABLE sqlite_stat1", in: fixture.fileURL)
        let other = try SQLiteConnection(
            path: fixture.fileURL.path(percentEncoded: false), access: .write(creates: false),
            options: SQLiteConfiguration())
        try other.execute("PRAGMA writable_schema = 1")
        try other.execute(
            "INSERT INTO sqlite_master (type, name, tbl_name, rootpage, sql) "
                + "VALUES ('view', 'sqlite_stat1', 'sqlite_stat1', 0, 'CREATE VIEW sqlite_stat1 AS SELECT 1 AS tbl')")
        try insert(1..<1_500, into: fixture)
        #expect(try fixture.rows(RowRequest(entity: fixture.entity("Person"))).count == 1_499)
    }
}
