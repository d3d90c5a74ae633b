import CofferEvaluation
import CofferStorage

/// A snapshot of the store: all tables, link tables and indexes as one commit left them.
///
/// A snapshot is immutable. A commit creates the next one, which shares most of its content.
final class Snapshot: RowSource, RelatedCounting, Sendable {
    let layout: ModelLayout
    /// The plan of each root entity; nil for other entities.
    let plans: [TablePlan?]
    let tables: [Table?]
    let links: [LinkTable]
    let check: RowCheck

    /// Creates the snapshot of an empty store.
    init(_ layout: ModelLayout) {
        self.layout = layout
        plans = layout.entities.map { $0.root == $0.index ? TablePlan(root: $0.index, in: layout) : nil }
        tables = plans.map { $0.map(Table.init) }
        links = layout.linkTables.map(LinkTable.init)
        check = RowCheck(layout)
    }

    /// Creates the version after `base`.
    init(after base: Snapshot, tables: [Table?], links: [LinkTable]) {
        layout = base.layout
        plans = base.plans
        check = base.check
        self.tables = tables
        self.links = links
    }

    func forEachRow(root: Int, _ body: (Row) -> Bool) { table(root)?.rows.forEach(body) }

    func row(root: Int, key: Int64) -> Row? {
        guard tables.indices.contains(root) else { return nil }
        return tables[root]?.rows[key]
    }

    func related(_ relationship: Int, of owner: Int64) -> [Row] {
        var rows: [Row] = []
        forEachRelated(relationship, of: owner) { rows.append($0) }
        return rows
    }

    func relatedCount(_ relationship: Int, of owner: Int64) -> Int {
        var count = 0
        guard
            layout.relationships.indices.contains(relationship),
            case .inverse = layout.relationships[relationship].storage,
            let (table, reference) = references(to: layout.relationships[relationship])
        else {
            forEachRelated(relationship, of: owner) { _ in count += 1 }
            return count
        }
        table.reference(reference).forEach(owner: owner) { _ in
            count += 1
            return true
        }
        return count
    }

    /// Returns the table whose rows refer to the owners of a to-many relationship, and the number of the reference.
    private func references(to end: RelationshipLayout) -> (table: Table, reference: Int)? {
        let root = layout.entities[layout.relationships[end.inverse].owner].root
        guard let table = table(root), let plan = plans[root] else { return nil }
        return plan.references.firstIndex { $0.relationship == end.inverse }.map { (table, $0) }
    }

    /// Returns the related rows of many owners.
    func related(_ relationship: Int, of owners: [Int64]) -> [RelatedRows] {
        var result: [RelatedRows] = []
        forEachRelated(relationship, of: owners) { owner, row in
            if result.last?.owner != owner { result.append(RelatedRows(owner: owner, rows: [])) }
            result[result.count - 1].rows.append(row)
        }
        return result
    }

    /// Returns the keys and places of the related rows of many owners.
    func members(_ relationship: Int, of owners: [Int64]) -> [RelatedMembers] {
        var result: [RelatedMembers] = []
        func add(_ key: Int64, _ place: Int64?, of owner: Int64) {
            if result.last?.owner != owner { result.append(RelatedMembers(owner: owner, members: [])) }
            result[result.count - 1].members.append(.init(key: key, place: place))
        }
        switch layout.relationships[relationship].storage {
        case .links(let table, let isFirst):
            let side = isFirst ? links[table].forward : links[table].backward
            for owner in distinct(owners) { side.forEachPlace(owner) { add($0, $1, of: owner) } }
        case .inverse(_, let positionSlot):
            forEachRelated(relationship, of: owners) { owner, row in
                add(row.key, positionSlot.flatMap { row.holds($0) ? row.integer($0) : nil }, of: owner)
            }
        case .reference:
            forEachRelated(relationship, of: owners) { owner, row in add(row.key, nil, of: owner) }
        }
        return result
    }

    /// Calls the closure with the related rows of many owners, once for each different owner.
    func forEachRelated(_ relationship: Int, of owners: [Int64], _ body: (Int64, consuming Row) -> Void) {
        let end = layout.relationships[relationship]
        let owners = distinct(owners)
        guard case .inverse = end.storage, let (table, place) = references(to: end) else {
            for owner in owners { forEachRelated(relationship, of: owner) { body(owner, $0) } }
            return
        }
        var lookup = RowLookup(table.rows)
        table.reference(place).forEach(owners: owners) { owner, key in
            if let found = lookup.row(key) { body(owner, found.row) }
        }
    }

    private func distinct(_ owners: [Int64]) -> [Int64] {
        if zip(owners, owners.dropFirst()).allSatisfy({ $0 < $1 }) { return owners }
        var seen: Set<Int64> = []
        return owners.filter { seen.insert($0).inserted }
    }

    /// Calls the closure with the related rows of an owner, in the order of the relationship.
    func forEachRelated(_ relationship: Int, of owner: Int64, _ body: (Row) -> Void) {
        guard layout.relationships.indices.contains(relationship) else { return }
        let end = layout.relationships[relationship]
        func visit(_ table: Table, _ key: Int64) -> Bool {
            table.rows.row(key)?.lent(body)
            return true
        }
        switch end.storage {
        case .reference(let slot, _):
            let root = layout.entities[end.owner].root
            guard let row = row(root: root, key: owner), row.holds(slot) else { return }
            if let target = table(layout.entities[end.destination].root) { _ = visit(target, row.integer(slot)) }
        case .inverse:
            guard let (table, place) = references(to: end) else { return }
            table.reference(place).forEach(owner: owner) { visit(table, $0) }
        case .links(let number, let isFirst):
            guard let table = table(layout.entities[end.destination].root) else { return }
            (isFirst ? links[number].forward : links[number].backward).forEach(owner) { visit(table, $0) }
        }
    }

    func table(_ root: Int) -> Table? { tables.indices.contains(root) ? tables[root] : nil }
}
