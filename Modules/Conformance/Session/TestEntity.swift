import CofferStorage
import Foundation

/// Creates rows, links and requests of an entity by the names of its properties, for cases.
struct TestEntity: Sendable {
    let layout: ModelLayout
    let entity: EntityLayout

    /// The expression for a column or, for "friend.name", a column at the end of to-one relationships.
    subscript(path: String) -> RowExpression {
        get throws {
            let steps = path.split(separator: ".", maxSplits: 1).map(String.init)
            if steps.count == 1 {
                let slot = try slot(path)
                return .column(slot: slot, kind: entity.kinds[slot])
            }
            let relationship = try relationship(steps[0])
            return .through(relationship: relationship, try end(of: relationship)[steps[1]])
        }
    }

    func slot(_ name: String) throws -> Int {
        guard let slot = entity.slot(named: name) else { throw Mismatch("'\(entity.name)' has no column '\(name)'.") }
        return slot
    }

    func relationship(_ name: String) throws -> Int {
        guard let index = entity.relationship(named: name) else {
            throw Mismatch("'\(entity.name)' has no relationship '\(name)'.")
        }
        return index
    }

    /// The entity at the end of a relationship.
    func end(of relationship: Int) -> TestEntity {
        TestEntity(layout: layout, entity: layout.entities[layout.relationships[relationship].destination])
    }

    /// The index of the table that a many-to-many relationship is kept in.
    func linkTable(_ name: String) throws -> Int {
        guard case .links(let table, _) = layout.relationships[try relationship(name)].storage else {
            throw Mismatch("'\(entity.name).\(name)' has no table of links.")
        }
        return table
    }

    /// A link from an owner by one of its many-to-many relationships, whichever side of the table that is.
    func link(
        _ relationship: String, _ owner: Int64, _ other: Int64, place: Int64? = nil, inversePlace: Int64? = nil
    ) throws -> ChangeSet.Link {
        guard case .links(let table, let isFirst) = layout.relationships[try self.relationship(relationship)].storage
        else {
            throw Mismatch("'\(entity.name).\(relationship)' has no table of links.")
        }
        return isFirst
            ? .init(table: table, first: owner, second: other, firstPosition: place, secondPosition: inversePlace)
            : .init(table: table, first: other, second: owner, firstPosition: inversePlace, secondPosition: place)
    }

    /// A row with some values; the other columns get their defaults, required ones zero or empty.
    func row(_ key: Int64, version: Int64 = 1, _ values: [String: Value] = [:]) throws -> Row {
        var all = entity.columns.map { $0.isOptional || !$0.defaultValue.isNull ? $0.defaultValue : $0.kind.zero }
        for (name, value) in values { all[try slot(name)] = value }
        guard let row = Row.make(entity: entity.index, key: key, version: version, values: all, kinds: entity.kinds)
        else { throw Mismatch("A value does not fit its column in '\(entity.name)': \(values).") }
        return row
    }

    /// A copy of a row with other values in some columns, as an update of just those.
    func update(_ row: Row, _ values: [String: Value]) throws -> ChangeSet.Update {
        var all = row.values(entity.kinds)
        var columns = ColumnSet()
        for (name, value) in values {
            let slot = try slot(name)
            all[slot] = value
            columns.insert(slot)
        }
        guard
            let changed = Row.make(
                entity: row.entity, key: row.key, version: row.version, values: all, kinds: entity.kinds)
        else { throw Mismatch("A value does not fit its column in '\(entity.name)': \(values).") }
        return ChangeSet.Update(row: changed, columns: columns)
    }

    func delete(_ key: Int64) -> ChangeSet.Delete { ChangeSet.Delete(entity: entity.index, key: key) }

    func request(
        where predicate: RowPredicate = .constant(true), order: [RowSort] = [], offset: Int = 0, limit: Int? = nil
    ) -> RowRequest {
        RowRequest(entity: entity.index, predicate: predicate, order: order, offset: offset, limit: limit)
    }

    func sorted(_ path: String, ascending: Bool = true) throws -> RowSort {
        RowSort(try self[path], ascending: ascending)
    }

    /// The value that a row of this entity, or of a sub-entity, has in a column.
    func value(_ name: String, of row: Row) throws -> Value {
        let slot = try slot(name)
        return row.value(slot, entity.kinds[slot])
    }
}

extension Row {
    func values(_ kinds: [ColumnKind]) -> [Value] { kinds.indices.map { value($0, kinds[$0]) } }
}

extension ColumnKind {
    /// The value of a required column that nobody gave one.
    var zero: Value {
        switch self {
        case .integer: .integer(0)
        case .double: .double(0)
        case .decimal: .decimal(0)
        case .boolean: .boolean(false)
        case .date: .date(0)
        case .text: .text("")
        case .blob: .blob(Data())
        case .reference: .null
        }
    }
}
