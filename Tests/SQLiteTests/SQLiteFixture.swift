import CofferStorage
import Foundation
import TestSupport

@testable import CofferSQLite

/// A store with a small model of a zoo, in a directory that is removed with the fixture.
final class SQLiteFixture: Sendable {
    let directory: URL
    let layout: ModelLayout
    let store: SQLiteStore
    private let statements = Locked<[String]>([])

    var fileURL: URL { directory.appending(path: "zoo.sqlite") }

    init(_ model: StoreModel = SQLiteFixture.model, settings: SQLiteConfiguration = .init(), opens: Bool = true) throws
    {
        directory = try TemporaryDirectory.make()
        layout = try ModelLayout(model)
        store = SQLiteStore(fileURL: directory.appending(path: "zoo.sqlite"), settings: settings)
        if opens { _ = try store.open(layout) }
    }

    deinit {
        store.close()
        try? FileManager.default.removeItem(at: directory)
    }

    /// Runs a statement on a file, on a connection that the store does not know.
    static func execute(_ statement: String, in file: URL) throws {
        let path = file.path(percentEncoded: false)
        try SQLiteConnection(path: path, access: .write(creates: false), options: SQLiteConfiguration())
            .execute(statement)
    }

    static let model = StoreModel(
        version: "V1",
        entities: [
            EntityDescription(
                name: "Person",
                attributes: [
                    .init(name: "name", type: .stringAttributeType),
                    .init(name: "email", type: .stringAttributeType, isOptional: true),
                    .init(name: "age", type: .integer64AttributeType),
                    .init(name: "score", type: .doubleAttributeType, isOptional: true),
                    .init(name: "active", type: .booleanAttributeType),
                    .init(name: "born", type: .dateAttributeType, isOptional: true),
                    .init(name: "balance", type: .decimalAttributeType, isOptional: true),
                    .init(name: "photo", type: .binaryDataAttributeType, isOptional: true),
                ],
                relationships: [
                    .init(name: "pets", destination: "Animal", inverse: "owner", isToMany: true, isOrdered: true),
                    .init(name: "boss", destination: "Person", inverse: "staff", isToMany: false),
                    .init(name: "staff", destination: "Person", inverse: "boss", isToMany: true),
                    .init(name: "friends", destination: "Person", inverse: "friends", isToMany: true),
                    .init(name: "clubs", destination: "Club", inverse: "members", isToMany: true),
                ],
                indexes: [["name"], ["score"]], uniqueConstraints: [["email"]]
            ),
            EntityDescription(
                name: "Animal", isAbstract: true, attributes: [.init(name: "name", type: .stringAttributeType)],
                relationships: [.init(name: "owner", destination: "Person", inverse: "pets", isToMany: false)]
            ),
            EntityDescription(
                name: "Dog", parent: "Animal", attributes: [.init(name: "tricks", type: .integer64AttributeType)]
            ),
            EntityDescription(
                name: "Cat", parent: "Animal", attributes: [.init(name: "lives", type: .integer64AttributeType)]
            ),
            EntityDescription(
                name: "Club", attributes: [.init(name: "title", type: .stringAttributeType)],
                relationships: [
                    .init(name: "members", destination: "Person", inverse: "clubs", isToMany: true, isOrdered: true)
                ]
            ),
        ]
    )

    func entity(_ name: String) -> Int { layout.index(of: name) ?? -1 }

    func relationship(_ entity: String, _ name: String) -> Int {
        layout.entity(named: entity)?.relationship(named: name) ?? -1
    }

    /// Returns the expression of a column.
    func column(_ entity: String, _ name: String) -> RowExpression {
        let entity = layout.entities[self.entity(entity)]
        let slot = entity.slot(named: name) ?? -1
        return .column(slot: slot, kind: entity.kinds[slot])
    }

    func row(_ entity: String, _ key: Int64, _ values: [String: Value] = [:], version: Int64 = 1) throws -> Row {
        let entity = layout.entities[self.entity(entity)]
        let inOrder = entity.columns.map { values[$0.name] ?? .null }
        guard
            let row = Row.make(
                entity: entity.index, key: key, version: version, values: inOrder, kinds: entity.kinds
            )
        else { throw StorageError.invalidRequest("The values do not fit \(entity.name).") }
        return row
    }

    func value(_ row: Row?, _ name: String) -> Value? {
        guard let row, let slot = layout.entities[row.entity].slot(named: name) else { return nil }
        return row.value(slot, layout.entities[row.entity].kinds[slot])
    }

    @discardableResult
    func insert(_ rows: Row...) throws -> CommitResult {
        var changes = ChangeSet()
        changes.inserts = rows.map(ChangeSet.Insert.init)
        return try store.commit(changes)
    }

    func update(_ row: Row, _ columns: String...) -> ChangeSet.Update {
        var set = ColumnSet()
        for name in columns { set.insert(layout.entities[row.entity].slot(named: name) ?? -1) }
        return ChangeSet.Update(row: row, columns: set)
    }

    func rows(_ request: RowRequest) throws -> [Row] {
        try store.read { reader throws(StorageError) in try reader.rows(request) }
    }

    func keys(_ entity: String, _ predicate: RowPredicate, order: [RowSort] = []) throws -> [Int64] {
        let request = RowRequest(entity: self.entity(entity), predicate: predicate, order: order)
        return try store.read { reader throws(StorageError) in try reader.keys(request) }
    }

    func row(_ entity: String, _ key: Int64) throws -> Row? {
        let root = layout.entities[self.entity(entity)].root
        return try store.read { reader throws(StorageError) in try reader.row(root: root, key: key) }
    }
}
