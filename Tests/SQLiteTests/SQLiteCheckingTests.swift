import CofferStorage
import CofferStorageTools
import Foundation
import TestSupport
import Testing

@testable import CofferSQLite

/// The problems that a check finds in a file that another program changed.
final class SQLiteCheckingTests {
    private static let model = StoreModel(
        version: "V1",
        entities: [
            EntityDescription(
                name: "Ship",
                attributes: [
                    .init(name: "name", type: .stringAttributeType),
                    .init(name: "length", type: .doubleAttributeType, isOptional: true),
                    .init(name: "masts", type: .integer16AttributeType, isOptional: true),
                    .init(name: "tons", type: .integer32AttributeType, isOptional: true),
                ],
                relationships: [
                    .init(
                        name: "crew", destination: "Sailor", inverse: "ship", isToMany: true, minCount: 1, maxCount: 2)
                ], uniqueConstraints: [["name"]]
            ),
            EntityDescription(
                name: "Sailor", attributes: [],
                relationships: [.init(name: "ship", destination: "Ship", inverse: "crew", isToMany: false)]
            ),
        ]
    )

    private let directory: URL
    private let store: SQLiteStore
    private let layout: ModelLayout

    /// Creates a store of three ships with a sailor each.
    init() throws {
        directory = try TemporaryDirectory.make()
        store = SQLiteStore(fileURL: directory.appending(path: "ships.sqlite"))
        layout = try ModelLayout(Self.model)
        var (ships, crew): ([Row], [Row]) = ([], [])
        for key in 1...3 as ClosedRange<Int64> {
            let ship = RowBuilder(entity: 0, key: key, version: 1, slotCount: 4, tailCapacity: 8)
            let fits = ship.write(text: "Ship \(key)", 0)
            #expect(fits)
            ships.append(ship.build())
            let sailor = RowBuilder(entity: 1, key: key, version: 1, slotCount: 1, tailCapacity: 0)
            sailor.write(integer: key, 0)
            crew.append(sailor.build())
        }
        let rows = [ships, crew]
        try store.load(layout, as: UUID()) { loader throws(StorageError) in
            for rows in rows { try loader.add(rows) }
        }
    }

    deinit {
        store.close()
        try? FileManager.default.removeItem(at: directory)
    }

    /// Runs some statements, and returns the descriptions of the problems after them.
    private func problems(_ statements: String...) throws -> [String] {
        let path = store.fileURL.path(percentEncoded: false)
        let connection = try SQLiteConnection(
            path: path, access: .write(creates: false), options: SQLiteConfiguration())
        for statement in statements { try connection.execute(statement) }
        _ = try store.open(layout)
        return try store.problems(layout).map(\.description)
    }

    @Test func `checking a new store reports nothing`() throws {
        #expect(try problems() == [])
        #expect(try store.byteCount() ?? 0 > 4096)
    }

    @Test func `checking reports equal values in a unique constraint`() throws {
        #expect(
            try problems("DROP INDEX \"coffer_unique_Ship_name\"", "UPDATE \"Ship\" SET name = 'same'")
                == ["'Ship.name' must be unique but is not, once."])
    }

    @Test func `checking reports fewer related objects than the minimum`() throws {
        #expect(
            try problems("UPDATE \"Sailor\" SET ship = 1")
                == ["'Ship.crew' has too few or too many related objects, 3 times."])
    }

    @Test func `checking reports a reference to a missing row`() throws {
        #expect(
            try problems("INSERT INTO \"Sailor\" (coffer_key, coffer_version, ship) VALUES (9, 1, 77)")
                == [
                    "'Sailor.ship' refers to a missing or wrong row, once (key 9).",
                    "The next key of 'Sailor' is already the key of a row.",
                ])
    }

    @Test func `checking reports a string that is not UTF-8`() throws {
        #expect(
            try problems("UPDATE \"Ship\" SET name = CAST(x'41FF' AS TEXT) WHERE coffer_key = 2")
                == ["'Ship.name' has a value that does not fit its type, once (key 2)."])
    }

    @Test func `checking reports integers that are out of range`() throws {
        #expect(
            try problems("UPDATE \"Ship\" SET masts = 32768, tons = -2147483649 WHERE coffer_key > 1")
                == [
                    "'Ship.masts' has a value that does not fit its type, 2 times (key 2, 3).",
                    "'Ship.tons' has a value that does not fit its type, 2 times (key 2, 3).",
                ])
        #expect(try problems("UPDATE \"Ship\" SET masts = -32768, tons = 2147483647") == [])
    }

    @Test func `checking reports a key that is not positive`() throws {
        #expect(
            try problems("UPDATE \"Sailor\" SET coffer_key = -5 WHERE coffer_key = 3")
                == ["'Sailor' has a key that is not positive, once (key -5)."])
    }

    @Test func `checking reports versions that are out of range`() throws {
        #expect(
            try problems("UPDATE \"Ship\" SET coffer_version = 9223372036854775807 - (coffer_key - 1)")
                == ["'Ship' has a row with a version that is below 1 or cannot increase, once (key 1)."])
        #expect(
            try problems("UPDATE \"Ship\" SET coffer_version = coffer_key - 2")
                == ["'Ship' has a row with a version that is below 1 or cannot increase, 2 times (key 1, 2)."])
    }

    @Test func `checking throws if a next key is not a positive number`() throws {
        for value in ["-3", "'many'"] {
            _ = try problems("UPDATE coffer_keys SET next = 1000")
            store.close()
            let error = #expect(throws: StorageError.self) {
                try problems("UPDATE coffer_keys SET next = \(value) WHERE root = 'Ship'")
            }
            #expect(
                error?.description == """
                    invalidValue: The next key of 'Ship' in '\(directory.appending(path: "ships.sqlite").path)' is \
                    not a positive number. Set it in 'coffer_keys' to a number above the keys of all rows.
                    """)
        }
    }

    @Test func `a change of a row with the highest version is refused`() throws {
        #expect(
            try problems("UPDATE \"Ship\" SET coffer_version = 9223372036854775807 WHERE coffer_key = 2").count == 1)
        let expected = """
            invalidValue: Row 2 of 'Ship' cannot be changed, because it has the highest possible version. Set its \
            version to 1 in the file or database.
            """
        let row = try #require(
            try store.read { reader throws(StorageError) in try reader.row(root: 0, key: 2) })
        // The changes are an update of the current row, an update of an earlier version, and an insertion with its
        // unique value.
        for (version, isInsert) in [(Int64.max, false), (3, false), (1, true)] {
            let builder = RowBuilder(entity: 0, key: isInsert ? 9 : 2, version: version, slotCount: 4, tailCapacity: 8)
            let fits = builder.write(text: row.text(0), 0)
            #expect(fits)
            builder.write(integer: 7, 2)
            let changed = builder.build()
            var columns = ColumnSet()
            columns.insert(2)
            var changes = ChangeSet()
            if isInsert {
                changes.inserts = [.init(row: changed)]
            } else {
                changes.updates = [.init(row: changed, columns: columns)]
            }
            let error = #expect(throws: StorageError.self) { try store.commit(changes) }
            #expect(error?.description == expected)
        }
        let after = try store.read { reader throws(StorageError) in try reader.row(root: 0, key: 2) }
        #expect(after?.isNull(2) == true && after?.version == .max)
    }

    @Test func `checking reports a value that its column cannot hold`() throws {
        #expect(
            try problems("UPDATE \"Ship\" SET length = x'00' WHERE coffer_key = 2")
                .first?.hasPrefix("'Ship' cannot be read: ") == true)
    }
}
