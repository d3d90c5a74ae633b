import CofferStorage
import Foundation
import TestSupport
import Testing

@testable import CofferSQLite

/// What is found wrong in a file that somebody else wrote to.
final class SQLiteCheckingTests {
    private static let model = StoreModel(
        version: "V1",
        entities: [
            EntityDescription(
                name: "Ship",
                attributes: [
                    .init(name: "name", type: .stringAttributeType),
                    .init(name: "length", type: .doubleAttributeType, isOptional: true),
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

    /// Three ships with a sailor each.
    init() throws {
        directory = try TemporaryDirectory.make()
        store = SQLiteStore(fileURL: directory.appending(path: "ships.sqlite"))
        layout = try ModelLayout(Self.model)
        var (ships, crew): ([Row], [Row]) = ([], [])
        for key in 1...3 as ClosedRange<Int64> {
            let ship = Row.make(entity: 0, key: key, version: 1, slotCount: 2, tailCapacity: 8)
            #expect(ship.write(text: "Ship \(key)", 0))
            ships.append(ship)
            let sailor = Row.make(entity: 1, key: key, version: 1, slotCount: 1, tailCapacity: 0)
            sailor.write(integer: key, 0)
            crew.append(sailor)
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

    /// The problems after some statements, each as a line.
    private func problems(_ statements: String...) throws -> [String] {
        let path = store.fileURL.path(percentEncoded: false)
        let connection = try SQLiteConnection(
            path: path, access: .write(creates: false), configuration: SQLiteConfiguration())
        for statement in statements { try connection.execute(statement) }
        _ = try store.open(layout)
        return try store.problems(layout).map(\.description)
    }

    @Test func `nothing is wrong with a new store`() throws {
        #expect(try problems() == [])
        #expect(try store.byteCount() ?? 0 > 4096)
    }

    @Test func `equal values in a unique constraint`() throws {
        #expect(
            try problems("DROP INDEX \"coffer_unique_Ship_name\"", "UPDATE \"Ship\" SET name = 'same'")
                == ["'Ship.name' must be unique and is not, once."])
    }

    @Test func `fewer related objects than there may be`() throws {
        #expect(
            try problems("UPDATE \"Sailor\" SET ship = 1")
                == ["'Ship.crew' leads to fewer or more objects than it may, 3 times."])
    }

    @Test func `a reference that leads nowhere, to an object with crew`() throws {
        #expect(
            try problems("INSERT INTO \"Sailor\" (coffer_key, coffer_version, ship) VALUES (9, 1, 77)")
                == ["'Sailor.ship' leads to no row, once (key 9).", "The next key of 'Sailor' is one that a row has."])
    }

    @Test func `a value that its column cannot hold`() throws {
        #expect(
            try problems("UPDATE \"Ship\" SET length = x'00' WHERE coffer_key = 2")
                .first?.hasPrefix("'Ship' cannot be read: ") == true)
    }
}
