import Coffer
import CofferStorage
import CofferStorageTools
import Foundation
import TestSupport
import Testing

@testable import CofferSQLite

/// The upgrade of files of the previous format when they are opened.
final class SQLiteUpgradeTests {
    private let directory: URL
    private let url: URL
    private let layout: ModelLayout

    init() throws {
        directory = try TemporaryDirectory.make()
        url = directory.appending(path: "old.sqlite")
        layout = try ModelLayout(JSONDecoder().decode(StoreModel.self, from: Data(OldFormat.model.utf8)))
        try run(OldFormat.sqlite)
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    private func connection(_ access: SQLiteConnection.Access) throws -> SQLiteConnection {
        try SQLiteConnection(
            path: url.path(percentEncoded: false), access: access, options: SQLiteConfiguration())
    }

    /// Runs statements on the file without a store.
    private func run(_ statements: [String]) throws {
        let connection = try connection(.write(creates: true))
        for statement in statements { try connection.execute(statement) }
    }

    private func store(
        readOnly: Bool = false, timeLimit: Double = 5, _ onStatement: (@Sendable (String) -> Void)? = nil
    ) -> SQLiteStore {
        SQLiteStore(
            fileURL: url,
            settings: SQLiteConfiguration(busyTimeLimit: timeLimit, isReadOnly: readOnly, onStatement: onStatement))
    }

    private var format: String? {
        get throws { try connection(.read).text("SELECT value FROM coffer_metadata WHERE name = 'format'") }
    }

    private func list(_ statement: String) throws -> [String] {
        let select = try SQLiteStatement(statement, on: connection(.read))
        var list: [String] = []
        while try select.step() { list.append(select.string(0) ?? "NULL") }
        return list
    }

    private func event(_ name: String) -> RowExpression {
        let event = layout.entities[layout.index(of: "Event") ?? 0]
        let slot = event.slot(named: name) ?? 0
        return .column(slot: slot, kind: event.kinds[slot])
    }

    /// Returns the values of all events, in the order of their keys.
    private func values(_ store: SQLiteStore) throws -> [[Value]] {
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

    private func keys(_ store: SQLiteStore, _ predicate: RowPredicate, _ order: [RowSort] = []) throws -> [Int64] {
        try store.read { reader throws(StorageError) in
            try reader.keys(RowRequest(entity: layout.index(of: "Event") ?? 0, predicate: predicate, order: order))
        }
    }

    /// Checks requests for dates, on an upgraded file or on an old file that is only read.
    private func checkRequests(_ store: SQLiteStore) throws {
        let (start, end) = (event("start"), event("end"))
        #expect(try keys(store, .compare(start, .equal, .value(.date(785_000_000.123_457)))) == [2])
        #expect(try keys(store, .compare(start, .less, .value(.date(0)))) == [3, 4])
        #expect(try keys(store, .isIn(end, [.date(0.000_001), .date(1)])) == [1])
        #expect(try keys(store, .compare(end, .equal, .value(.null))) == [2, 4])
        #expect(try keys(store, .constant(true), [RowSort(start, ascending: true)]) == [4, 3, 1, 2])
        let ends = try store.read { reader throws(StorageError) in
            try reader.values(
                ValueRequest(
                    rows: RowRequest(entity: layout.index(of: "Event") ?? 0),
                    terms: [.aggregate(.minimum, start), .aggregate(.maximum, start), .aggregate(.count, end)]))
        }
        #expect(ends == [[.date(OldFormat.starts[3]), .date(OldFormat.starts[1]), .integer(2)]])
    }

    @Test func `a file of the previous format is upgraded and keeps its values`() throws {
        let opened = store()
        let metadata = try opened.open(layout)
        #expect(metadata.store.uuidString == OldFormat.store)
        #expect(metadata.model.entities[0].attributes[2].defaultValue == .date(1.5))
        #expect(metadata.model.versionHashes.mapValues { $0.base64EncodedString() } == OldFormat.hashes)
        #expect(try values(opened) == expected)
        try checkRequests(opened)
        #expect(try opened.problems(layout) == [])
        #expect(try opened.reserveKeys(1, root: layout.index(of: "Event") ?? 0) == 5..<6)
        opened.close()

        #expect(try format == "2")
        #expect(try list("PRAGMA integrity_check") == ["ok"])
        #expect(try Set(list("SELECT typeof(\"start\") FROM \"Event\"")) == ["real"])
        let upgraded = try list("SELECT sql FROM sqlite_master ORDER BY name")
        let new = SQLiteStore(fileURL: directory.appending(path: "new.sqlite"))
        _ = try new.open(layout)
        new.close()
        let other = try SQLiteConnection(
            path: new.fileURL.path(percentEncoded: false), access: .read, options: SQLiteConfiguration())
        let select = try SQLiteStatement("SELECT sql FROM sqlite_master ORDER BY name", on: other)
        var made: [String] = []
        while try select.step() { made.append(select.string(0) ?? "NULL") }
        #expect(upgraded == made)
    }

    @Test func `a file of the current format is not upgraded`() throws {
        let first = store()
        _ = try first.open(layout)
        first.close()
        let said = Locked<[String]>([])
        let second = store { text in said.withLock { $0.append(text) } }
        _ = try second.open(layout)
        #expect(!said.withLock(\.self).contains { $0.contains("EXCLUSIVE") || $0.contains("ALTER") })
        second.close()
    }

    @Test func `an old file is migrated to the new format and the new model in one step`() throws {
        let old = layout.model
        var model = old
        model.version = "V2"
        model.entities[0].attributes[3].name = "finish"
        model.entities[0].attributes[3].renamingIdentifier = "end"
        model.entities[0].indexes = [["name"]]
        let metadata = try store().migrate(along: [.inferred(from: old, to: model)])
        #expect(metadata.model.version == "V2")
        #expect(try format == "2")
        let migrated = store()
        _ = try migrated.open(ModelLayout(model))
        #expect(try values(migrated) == expected)
        migrated.close()
    }

    @Test func `reading an old file does not change the file`() throws {
        let before = try Data(contentsOf: url)
        #expect(try store().inspect()?.store.uuidString == OldFormat.store)
        let reading = store(readOnly: true)
        #expect(try reading.open(layout).model.versionHashes == layout.model.versionHashes)
        #expect(try values(reading) == expected)
        try checkRequests(reading)
        #expect(try reading.problems(layout) == [])
        let copy = SQLiteStore(fileURL: directory.appending(path: "copy.sqlite"))
        _ = try reading.copy(layout, to: copy)
        reading.close()
        _ = try copy.open(layout)
        #expect(try values(copy) == expected)
        copy.close()
        #expect(try Data(contentsOf: url) == before)
        #expect(try format == "1")
    }

    @Test func `an old file that is open elsewhere is not upgraded`() throws {
        let other = try connection(.write(creates: false))
        #expect(try other.text("SELECT COUNT(*) FROM \"Event\"") == "4")
        let error = #expect(throws: StorageError.self) { try self.store(timeLimit: 0.1).open(self.layout) }
        #expect(error?.code == .busy && error?.isRetryable == true)
        #expect(error?.message == "'\(url.path)' is open elsewhere. Close it there before it is upgraded.")
        #expect(try format == "1")
        withExtendedLifetime(other) {}
    }

    @Test func `an old file that is opened several times at once is upgraded once and used by all`() async throws {
        let (url, layout) = (url, layout)
        let upgrades = Locked(0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<6 {
                group.addTask {
                    let settings = SQLiteConfiguration(
                        busyTimeLimit: 60,
                        onStatement: { text in
                            if text.hasPrefix("DROP TABLE") { upgrades.withLock { $0 += 1 } }
                        })
                    let store = SQLiteStore(fileURL: url, settings: settings)
                    _ = try await Task.detached { try store.open(layout) }.value
                    let count = try store.read { reader throws(StorageError) in
                        try reader.count(RowRequest(entity: layout.index(of: "Event") ?? 0))
                    }
                    #expect(count == 4)
                    store.close()
                }
            }
            try await group.waitForAll()
        }
        #expect(upgrades.withLock(\.self) == 1)
        #expect(try format == "2")
    }

    @Test func `a failed upgrade leaves the file unchanged and names the problem`() throws {
        // These microseconds are equal as doubles. So far from 2001, neighbouring doubles are about two milliseconds
        // apart.
        try run(
            [(5, 9_007_199_254_740_992_001), (6, 9_007_199_254_740_992_002)].map { key, start in
                "INSERT INTO \"Event\" VALUES (\(key), 1, 'Event', NULL, NULL, \(start), NULL, NULL, NULL)"
            })
        let before = try Data(contentsOf: url)
        let error = #expect(throws: StorageError.self) { try self.store().open(self.layout) }
        #expect(error?.code == .uniqueViolation)
        #expect(
            error?.message == """
                The tables of '\(url.path)' have format 1 and could not be upgraded to format 2: 'Event.start' must be \
                unique, but rows have values that become equal in the later format. Change one of these values with \
                the release of Coffer that created the store.
                """)
        #expect(try Data(contentsOf: url) == before)
    }

    private final class Guest: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
    }

    @Test func `a file of a newer format is refused and not changed, even with the recreate option`() throws {
        // A later release may store other metadata.
        try run([
            "UPDATE coffer_metadata SET value = '3' WHERE name = 'format'",
            "DELETE FROM coffer_metadata WHERE name = 'model'",
        ])
        let reasons = [
            #expect(throws: StorageError.self) { try self.store().open(self.layout) },
            #expect(throws: StorageError.self) { try self.store(readOnly: true).open(self.layout) },
            #expect(throws: StorageError.self) { try self.store().inspect() },
            #expect(throws: StorageError.self) {
                try self.store().migrate(along: [.inferred(from: self.layout.model, to: self.layout.model)])
            },
        ]
        for reason in reasons {
            #expect(
                reason?.message == """
                    '\(url.path)' has format 3 of a later release of Coffer. This release supports formats up to 2. \
                    To open the store, update the program, or its version of Coffer.
                    """)
        }
        let stack = DataStack(CoreStoreSchema(modelVersion: "V1", entities: [Entity<Guest>("Guest")]))
        let error = #expect(throws: CoreStoreError.self) {
            try stack.addStorageAndWait(
                SQLiteStore(
                    fileURL: self.url,
                    localStorageOptions: [
                        .recreateStoreOnModelMismatch, .allowSynchronousLightweightMigration,
                    ]))
        }
        #expect(error?.storageError?.message == reasons[0]?.message)
        #expect(try format == "3")
        #expect(try list("SELECT coffer_key FROM \"Event\"").count == 4)
    }
}
