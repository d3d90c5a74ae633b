import CofferStorage
import CofferStorageTools
import Foundation
import TestSupport
import Testing

@testable import CofferPostgreSQL

/// The changes that a migration makes to the tables of a schema.
@Suite(.enabled(if: Postgres.url != nil, "\(Postgres.advice)"))
struct PostgreSQLMigrationTests {
    /// A schema with a store of the first version, which is erased when this object is deallocated.
    private final class Harbour {
        static let old = StoreModel(
            version: "V1",
            entities: [
                EntityDescription(
                    name: "Ship",
                    attributes: [
                        .init(name: "name", type: .stringAttributeType),
                        .init(name: "cargo", type: .binaryDataAttributeType, isOptional: true),
                    ],
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

        let schema = Postgres.newSchema()
        let model: StoreModel
        private let said = Locked<[String]>([])

        init(_ model: StoreModel = old) throws {
            self.model = model
            let store = try self.store()
            _ = try store.open(ModelLayout(model))
            store.close()
            said.withLock { $0 = [] }
        }

        deinit { try? Postgres.store(schema).erase() }

        func store(busyTimeLimit: Double = 60) throws -> PostgreSQLStore {
            try Postgres.store(
                schema,
                settings: PostgreSQLConfiguration(
                    busyTimeLimit: busyTimeLimit, onStatement: { [said] text in said.withLock { $0.append(text) } }))
        }

        func next(_ change: (inout StoreModel) -> Void) -> MigrationPlan {
            var next = model
            next.version = "V2"
            change(&next)
            return .inferred(from: model, to: next)
        }

        func insert(_ values: [[String: Value]], into entity: Int, of layout: ModelLayout) throws {
            let store = try self.store()
            _ = try store.open(layout)
            defer { store.close() }
            let columns = layout.entities[entity].columns
            var changes = ChangeSet()
            for (key, values) in zip(try store.reserveKeys(values.count, root: entity), values) {
                let row = Row.make(
                    entity: entity, key: key, version: 1, values: columns.map { values[$0.name] ?? .null },
                    kinds: layout.entities[entity].kinds)
                changes.inserts.append(.init(row: try #require(row)))
            }
            _ = try store.commit(changes)
        }

        /// Returns the statements since the creation of the store that have one of some beginnings.
        func statements(_ beginnings: String...) -> [String] {
            said.withLock(\.self).filter { text in beginnings.contains { text.hasPrefix($0) } }
        }
    }

    @Test func `a migration does not touch unchanged tables`() throws {
        let harbour = try Harbour()
        let plan = harbour.next {
            $0.entities[1].attributes.append(.init(name: "depth", type: .doubleAttributeType, isOptional: true))
        }
        try harbour.store().migrate(along: [plan])
        #expect(
            harbour.statements("ALTER", "CREATE", "DROP", "DECLARE", "COPY", "UPDATE \"", "DELETE FROM \"") == [
                "ALTER TABLE \"Port\" RENAME TO \"coffer_aside_1\"",
                "CREATE TABLE \"Port\" (coffer_key bigint PRIMARY KEY, coffer_version bigint NOT NULL, \"name\" text "
                    + "COLLATE \"C\", \"depth\" double precision)",
                "DECLARE coffer_rows NO SCROLL CURSOR FOR SELECT \"coffer_key\", \"coffer_version\", \"name\" FROM "
                    + "\"coffer_aside_1\" ORDER BY \"coffer_key\"",
                "DROP TABLE \"coffer_aside_1\"",
                "CREATE INDEX IF NOT EXISTS \"coffer_index_Ship_home\" ON \"Ship\" (\"home\" NULLS FIRST)",
                "CREATE INDEX IF NOT EXISTS \"coffer_index_Port_name\" ON \"Port\" (\"name\" NULLS FIRST)",
            ])
    }

    @Test func `a constraint that moves to a column with a similar long name is recreated`() throws {
        let long = String(repeating: "x", count: 60)
        let model = StoreModel(
            version: "V1",
            entities: [
                EntityDescription(
                    name: "Thing",
                    attributes: ["1", "2"].map { .init(name: long + $0, type: .stringAttributeType, isOptional: true) },
                    uniqueConstraints: [[long + "1"]])
            ])
        let harbour = try Harbour(model)
        let plan = harbour.next { $0.entities[0].uniqueConstraints = [[long + "2"]] }
        try harbour.store().migrate(along: [plan])
        let layout = try ModelLayout(plan.target)
        try harbour.insert([[long + "1": .text("a")], [long + "1": .text("a")]], into: 0, of: layout)
        try harbour.insert([[long + "2": .text("b")], [long + "2": .text("b")]], into: 0, of: layout)
        let store = try harbour.store()
        _ = try store.open(layout)
        defer { store.close() }
        #expect(try store.read { reader throws(StorageError) in try reader.count(RowRequest(entity: 0)) } == 3)
    }

    @Test func `large rows are read and written in smaller batches`() throws {
        let harbour = try Harbour()
        let cargo = Value.blob(Data(repeating: 7, count: 1 << 18))
        try harbour.insert(
            (0..<100).map { ["name": .text("\($0)"), "cargo": cargo] }, into: 0, of: ModelLayout(harbour.model))
        let plan = harbour.next {
            $0.entities[0].attributes.append(.init(name: "depth", type: .doubleAttributeType, defaultValue: .double(3)))
        }
        try harbour.store().migrate(along: [plan])
        let fetches = harbour.statements("FETCH").compactMap { Int($0.split(separator: " ")[2]) }
        #expect(fetches.first == 64)
        #expect(fetches.dropFirst().allSatisfy { 8...16 ~= $0 } && fetches.count > 3, "\(fetches)")
        let copies = harbour.statements("COPY")
        #expect(copies.count > 5, "\(copies.count)")
        let store = try harbour.store()
        let layout = try ModelLayout(plan.target)
        _ = try store.open(layout)
        defer { store.close() }
        let rows = try store.read { reader throws(StorageError) in try reader.rows(RowRequest(entity: 0)) }
        let slots = try ["cargo", "depth"].map { try #require(layout.entities[0].slot(named: $0)) }
        #expect(rows.count == 100)
        #expect(rows.allSatisfy { $0.value(slots[0], .blob) == cargo && $0.value(slots[1], .double) == .double(3) })
    }

    @Test func `a large table is analyzed after its recreation, and a small table is not`() throws {
        let harbour = try Harbour()
        let layout = try ModelLayout(harbour.model)
        try harbour.insert((0..<1_000).map { ["name": .text("\($0)")] }, into: 0, of: layout)
        try harbour.insert((0..<999).map { ["name": .text("\($0)")] }, into: 1, of: layout)
        let plan = harbour.next {
            for index in $0.entities.indices {
                $0.entities[index].attributes.append(
                    .init(name: "depth", type: .doubleAttributeType, isOptional: true))
            }
        }
        try harbour.store().migrate(along: [plan])
        #expect(harbour.statements("ANALYZE") == ["ANALYZE \"Ship\""])
    }

    @Test func `a store that is open elsewhere is not migrated`() throws {
        let harbour = try Harbour()
        let other = try harbour.store()
        _ = try other.open(ModelLayout(harbour.model))
        let plan = harbour.next { $0.entities[0].attributes.removeLast() }
        let store = try harbour.store(busyTimeLimit: 1)
        let error = #expect(throws: StorageError.self) { try store.migrate(along: [plan]) }
        let name = store.storeDescription.dropFirst("PostgreSQLStore ".count)
        #expect(
            error?.description == "busy: \(name) is open elsewhere. Close it there before it is migrated (migrate, "
                + "PostgreSQLStore \(name)).")
        #expect(error?.isRetryable == true)
        #expect(try store.inspect()?.model == harbour.model)
        other.close()
        #expect(try store.migrate(along: [plan]).model == plan.target)
    }

    @Test(.pins("MIG-17")) func `a migration whose connection is terminated leaves the store unchanged`() throws {
        let harbour = try Harbour()
        let layout = try ModelLayout(harbour.model)
        try harbour.insert((0..<100).map { ["name": .text("\($0)")] }, into: 0, of: layout)
        let before = try harbour.store().inspect()
        let schema = harbour.schema
        let address = try PostgreSQLAddress(Postgres.url ?? "", schema: schema)
        let (passed, ended) = (Locked(0), Locked(0))
        let plan = harbour.next {
            $0.entities[0].attributes.append(.init(name: "depth", type: .doubleAttributeType, isOptional: true))
        }
        var breaking = plan
        let ship = try #require(breaking.entities.firstIndex { $0.source == "Ship" })
        breaking.entities[ship].transformation = { row in
            try row.copyAttributes()
            let number = passed.withLock {
                $0 += 1
                return $0
            }
            guard number == 50 else { return }
            let result = try PostgreSQLConnection(address, PostgreSQLConfiguration()).execute(
                "SELECT pg_terminate_backend(pid, 30000)::int::bigint FROM (SELECT DISTINCT pid FROM pg_locks "
                    + "WHERE relation = '\"\(schema)\".\"Ship\"'::regclass AND pid <> pg_backend_pid()) AS holders")
            ended.withLock { $0 += result.rowCount }
        }
        #expect(throws: StorageError.self) { try harbour.store().migrate(along: [breaking]) }
        #expect(ended.withLock(\.self) >= 1)
        #expect(try harbour.store().inspect() == before)
        let old = try harbour.store()
        _ = try old.open(layout)
        let count = try old.read { reader throws(StorageError) in try reader.count(RowRequest(entity: 0)) }
        old.close()
        #expect(count == 100)
        #expect(try harbour.store().migrate(along: [plan]).model == plan.target)
    }

    @Test func `after reconnecting, a process does not continue with the old model`() throws {
        let harbour = try Harbour()
        let layout = try ModelLayout(harbour.model)
        let old = try harbour.store()
        _ = try old.open(layout)
        defer { old.close() }
        let session = try #require(old.openSession)
        let number = try session.write { writer throws(StorageError) in
            try writer.connection.query("SELECT pg_backend_pid()::bigint").integer(0, 0)
        }
        let address = try PostgreSQLAddress(Postgres.url ?? "", schema: harbour.schema)
        try PostgreSQLConnection(address, PostgreSQLConfiguration()).execute(
            "SELECT pg_terminate_backend(\(number), 5000)")
        let plan = harbour.next { $0.entities[0].attributes.removeLast() }
        try harbour.store().migrate(along: [plan])
        let error = #expect(throws: StorageError.self) { try old.reserveKeys(1, root: 0) }
        #expect(error?.code == .schemaMismatch)
    }

    @Test func `if several callers migrate at once, one migrates and the others find the new model`() async throws {
        let harbour = try Harbour()
        try harbour.insert((0..<3_000).map { ["name": .text("\($0)")] }, into: 0, of: ModelLayout(harbour.model))
        let plan = harbour.next {
            $0.entities[0].attributes.append(.init(name: "depth", type: .doubleAttributeType, isOptional: true))
        }
        let settings = PostgreSQLConfiguration(busyTimeLimit: 60)
        let schema = harbour.schema
        let models = try await withThrowingTaskGroup(of: StoreModel.self) { group in
            for _ in 0..<4 {
                group.addTask { try Postgres.store(schema, settings: settings).migrate(along: [plan]).model }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(models == Array(repeating: plan.target, count: 4))
    }
}
