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
            let relationship = try layout.relationship(steps[0])
            return .through(relationship: relationship, try TestEntity(layout, endOf: relationship)[steps[1]])
        }
    }

    func slot(_ name: String) throws -> Int {
        guard let slot = entity.slot(named: name) else { throw Mismatch("'\(entity.name)' has no column '\(name)'.") }
        return slot
    }

    /// A row with some values; other columns get their default, or zero or an empty value if they require one.
    func row(_ key: Int64, _ values: [String: Value] = [:]) throws -> Row {
        var all = entity.columns.map { $0.isOptional || !$0.defaultValue.isNull ? $0.defaultValue : $0.kind.zero }
        for (name, value) in values { all[try slot(name)] = value }
        return try entity.row(key, version: 1, all)
    }

    /// Returns an update that sets some columns of a row.
    func update(_ row: Row, _ values: [String: Value]) throws -> ChangeSet.Update {
        var all = row.values(entity.kinds)
        var columns = ColumnSet()
        for (name, value) in values {
            let slot = try slot(name)
            all[slot] = value
            columns.insert(slot)
        }
        return try ChangeSet.Update(row: entity.row(row.key, version: row.version, all), columns: columns)
    }

    func request(
        where predicate: RowPredicate = .constant(true), order: [RowSort] = [], offset: Int = 0, limit: Int? = nil
    ) -> RowRequest {
        RowRequest(entity: entity.index, predicate: predicate, order: order, offset: offset, limit: limit)
    }

    /// A request for values of rows, or of groups of rows.
    func values(
        _ terms: [ValueRequest.Term], where predicate: RowPredicate = .constant(true), order: [RowSort] = [],
        offset: Int = 0, limit: Int? = nil, groups: [RowExpression] = [], having: ValueRequest.Having? = nil
    ) -> ValueRequest {
        let rows = request(where: predicate, order: order, offset: offset, limit: limit)
        return ValueRequest(rows: rows, terms: terms, groups: groups, having: having)
    }

    func sorted(_ path: String, ascending: Bool = true) throws -> RowSort {
        RowSort(try self[path], ascending: ascending)
    }

    /// Returns the value of a column in a row of this entity or of a subentity.
    func value(_ name: String, of row: Row) throws -> Value {
        let slot = try slot(name)
        return row.value(slot, entity.kinds[slot])
    }
}

extension TestEntity {
    /// The entity with a name.
    init(_ layout: ModelLayout, _ name: EntityName) throws {
        guard let entity = layout.entity(named: name) else { throw Mismatch("The model has no entity '\(name)'.") }
        self.init(layout: layout, entity: entity)
    }

    /// The entity at the end of a relationship.
    init(_ layout: ModelLayout, endOf relationship: Int) {
        self.init(layout: layout, entity: layout.entities[layout.relationships[relationship].destination])
    }
}

extension ModelLayout {
    /// The index of a relationship; in the models of the suite, a name belongs to one relationship.
    func relationship(_ name: String) throws -> Int {
        guard let index = relationships.firstIndex(where: { $0.name == name }) else {
            throw Mismatch("The model has no relationship '\(name)'.")
        }
        return index
    }
}

extension EntityLayout {
    /// A row with the values of all columns.
    func row(_ key: Int64, version: Int64, _ values: [Value]) throws -> Row {
        guard let row = Row.make(entity: index, key: key, version: version, values: values, kinds: kinds) else {
            throw Mismatch("A value does not fit its column in '\(name)': \(values).")
        }
        return row
    }
}

extension ColumnKind {
    /// The value of a required column without a default.
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
