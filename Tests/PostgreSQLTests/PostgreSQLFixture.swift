import CofferStorage
import Foundation
import TestSupport
import Testing

@testable import CofferPostgreSQL

/// A store of notes in a schema of its own.
final class PostgreSQLFixture: Sendable {
    let schema = Postgres.newSchema()
    let store: PostgreSQLStore
    let layout: ModelLayout

    /// - Parameter constraints: the unique constraints; by default, no two notes may have the same text.
    init(
        _ settings: PostgreSQLConfiguration = PostgreSQLConfiguration(), constraints: [[String]] = [["text"]]
    ) throws {
        store = try Postgres.store(schema, settings: settings)
        layout = try ModelLayout(
            StoreModel(
                version: "V1",
                entities: [
                    EntityDescription(
                        name: "Note",
                        attributes: [
                            .init(name: "text", type: .stringAttributeType, isOptional: true),
                            .init(name: "rank", type: .integer64AttributeType, isOptional: true),
                        ],
                        uniqueConstraints: constraints)
                ]))
        _ = try store.open(layout)
    }

    deinit { try? store.erase() }

    /// Runs statements in the schema of the store, on a separate connection.
    @discardableResult
    func run(_ text: String) throws -> PostgreSQLResult {
        let address = try PostgreSQLAddress(Postgres.url ?? "", schema: schema)
        return try PostgreSQLConnection(address, PostgreSQLConfiguration()).execute(text)
    }

    /// Inserts a note, and returns its key.
    @discardableResult
    func insert(_ text: String?, rank: Int64 = 0) throws -> Int64 {
        let key = try store.reserveKeys(1, root: 0).lowerBound
        var changes = ChangeSet()
        changes.inserts = [.init(row: try row(key, text, rank))]
        _ = try store.commit(changes)
        return key
    }

    func row(_ key: Int64, _ text: String?, _ rank: Int64) throws -> Row {
        let entity = layout.entities[0]
        let values: [String: Value] = ["text": text.map(Value.text) ?? .null, "rank": .integer(rank)]
        let row = Row.make(
            entity: 0, key: key, version: 1, values: entity.columns.map { values[$0.name] ?? .null },
            kinds: entity.kinds)
        guard let row else { throw CocoaError(.featureUnsupported) }
        return row
    }

    func slot(_ name: String) -> Int { layout.entities[0].columns.firstIndex { $0.name == name } ?? 0 }

    func count() throws -> Int {
        try store.read { reader throws(StorageError) in try reader.count(RowRequest(entity: 0)) }
    }

    /// Returns the process ids of the servers of the store's connections.
    func pids() throws -> String {
        let session = try #require(store.openSession)
        let reader = try session.servers.primary.take { connection throws(StorageError) in try connection.begin() }
        let text = "SELECT pg_backend_pid()::bigint"
        let first = try reader.query(text).integer(0, 0)
        session.servers.primary.giveBack(reader)
        let second = try session.write { writer throws(StorageError) in try writer.connection.query(text).integer(0, 0)
        }
        return "\(first), \(second)"
    }
}
