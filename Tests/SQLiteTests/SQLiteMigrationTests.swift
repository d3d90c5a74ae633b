import CofferStorage
import CofferStorageTools
import Foundation
import TestSupport
import Testing

@testable import CofferSQLite

/// The changes that a migration makes to the tables of a file.
struct SQLiteMigrationTests {
    private static let old = StoreModel(
        version: "V1",
        entities: [
            EntityDescription(
                name: "Ship", attributes: [.init(name: "name", type: .stringAttributeType)],
                relationships: [
                    .init(name: "ports", destination: "Port", inverse: "ships", isToMany: true),
                    .init(name: "home", destination: "Port", inverse: "fleet", isToMany: false),
                ]
            ),
            EntityDescription(
                name: "Port", attributes: [.init(name: "name", type: .stringAttributeType)],
                relationships: [
                    .init(name: "ships", destination: "Ship", inverse: "ports", isToMany: true),
                    .init(name: "fleet", destination: "Ship", inverse: "home", isToMany: true),
                ], indexes: [["name"]]
            ),
        ]
    )

    /// Returns the statements that migrate a new file to a changed model, without the statements of every migration.
    private func statements(_ change: (inout StoreModel) -> Void) throws -> [String] {
        var model = Self.old
        model.version = "V2"
        change(&model)
        let directory = try TemporaryDirectory.make()
        defer { try? FileManager.default.removeItem(at: directory) }
        let file = directory.appending(path: "ships.sqlite")
        let store = SQLiteStore(fileURL: file)
        _ = try store.open(ModelLayout(Self.old))
        store.close()
        let said = Locked<[String]>([])
        let settings = SQLiteConfiguration(onStatement: { text in said.withLock { $0.append(text) } })
        try SQLiteStore(fileURL: file, settings: settings).migrate(along: [.inferred(from: Self.old, to: model)])
        let usual = [
            "PRAGMA", "SELECT", "UPDATE coffer_metadata", "INSERT INTO coffer_keys", "DELETE FROM coffer_keys",
        ]
        return said.withLock(\.self).filter { text in !usual.contains { text.hasPrefix($0) } }
    }

    @Test func `a migration does not touch unchanged tables`() throws {
        let renamed = try statements {
            $0.entities[1].attributes.append(.init(name: "depth", type: .doubleAttributeType, isOptional: true))
        }
        #expect(
            renamed == [
                "BEGIN EXCLUSIVE", "ALTER TABLE \"Port\" RENAME TO \"coffer_aside_1\"",
                "CREATE TABLE \"Port\" (coffer_key INTEGER PRIMARY KEY, coffer_version INTEGER NOT NULL, \"name\" TEXT, "
                    + "\"depth\" REAL)",
                "DROP TABLE \"coffer_aside_1\"",
                "CREATE INDEX IF NOT EXISTS \"coffer_index_Ship_home\" ON \"Ship\" (\"home\")",
                "CREATE INDEX IF NOT EXISTS \"coffer_index_Port_name\" ON \"Port\" (\"name\")", "COMMIT",
            ])
    }

    @Test func `a new unique constraint adds an index and does not recreate the table`() throws {
        let constrained = try statements {
            $0.entities[1].uniqueConstraints = [["name"]]
            $0.entities[1].indexes = []
        }
        #expect(
            constrained == [
                "BEGIN EXCLUSIVE", "DROP INDEX \"coffer_index_Port_name\"",
                "CREATE INDEX IF NOT EXISTS \"coffer_index_Ship_home\" ON \"Ship\" (\"home\")",
                "CREATE UNIQUE INDEX IF NOT EXISTS \"coffer_unique_Port_name\" ON \"Port\" (\"name\")", "COMMIT",
            ])
    }

    @Test func `references to a removed entity are dropped with its tables`() throws {
        let dropped = try statements {
            $0.entities.append(EntityDescription(name: "Ferry", parent: "Ship"))
            $0.entities[1].renamingIdentifier = "Nowhere"
            $0.entities[1].name = "Harbour"
            for index in $0.entities[0].relationships.indices {
                $0.entities[0].relationships[index].destination = "Harbour"
            }
        }
        #expect(!dropped.contains { $0.hasPrefix("UPDATE") || $0.hasPrefix("DELETE FROM \"") })
        #expect(dropped.contains("DROP TABLE \"coffer_aside_1\""))
        #expect(dropped.contains("DROP TABLE \"coffer_aside_link_0\""))
    }
}
