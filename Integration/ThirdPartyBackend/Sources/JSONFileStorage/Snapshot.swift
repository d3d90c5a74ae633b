import CofferEvaluation
import CofferStorage

/// The data at one moment; as a value, it does not change for a reader while a writer changes another value.
struct Snapshot: RowSource, Sendable {
    struct Pair: Hashable {
        var first: Int64
        var second: Int64
    }

    let layout: ModelLayout
    /// The rows by root, then by key.
    var rows: [Int: [Int64: Row]] = [:]
    /// The links by table, then by the keys of both ends.
    var links: [Int: [Pair: ChangeSet.Link]] = [:]
    private var nextKeys: [EntityName: Int64]

    mutating func reserveKeys(_ count: Int, root: Int) -> Range<Int64> {
        let name = layout.entities[root].name
        let first = nextKeys[name] ?? 1
        nextKeys[name] = first + Int64(count)
        return first..<first + Int64(count)
    }

    // MARK: RowSource

    func forEachRow(root: Int, _ body: (Row) -> Bool) {
        let rows = rows[root] ?? [:]
        for key in rows.keys.sorted() {
            if let row = rows[key], !body(row) { return }
        }
    }

    func row(root: Int, key: Int64) -> Row? { rows[root]?[key] }

    func related(_ relationship: Int, of owner: Int64) -> [Row] {
        related(relationship, of: [owner])[owner] ?? []
    }

    func related(_ index: Int, of owners: Set<Int64>) -> [Int64: [Row]] {
        members(index, of: owners).mapValues { $0.map(\.row) }
    }

    /// Returns the members of any number of owners, with one pass over the rows or links.
    func members(_ index: Int, of owners: Set<Int64>) -> [Int64: [(place: Int64?, row: Row)]] {
        let relationship = layout.relationships[index]
        let root = layout.entities[relationship.destination].root
        var found: [Int64: [(place: Int64?, row: Row)]] = [:]
        switch relationship.storage {
        case .reference:
            return [:]
        case .inverse(let slot, let positionSlot):
            let owning = layout.relationships[relationship.inverse].owner
            for row in (rows[root] ?? [:]).values where layout.entity(row.entity, isKindOf: owning) {
                guard !row.isNull(slot), owners.contains(row.integer(slot)) else { continue }
                let place = positionSlot.flatMap { row.isNull($0) ? nil : row.integer($0) }
                found[row.integer(slot), default: []].append((place, row))
            }
        case .links(let table, let isFirst):
            for link in (links[table] ?? [:]).values where owners.contains(isFirst ? link.first : link.second) {
                guard let row = row(root: root, key: isFirst ? link.second : link.first) else { continue }
                let place = isFirst ? link.firstPosition : link.secondPosition
                found[isFirst ? link.first : link.second, default: []].append((place, row))
            }
        }
        return found.mapValues { places in
            places.sorted { a, b in
                let (left, right) = (a.place ?? .min, b.place ?? .min)
                return relationship.isOrdered && left != right ? left < right : a.row.key < b.row.key
            }
        }
    }

    // MARK: The file

    init(_ document: Document, _ layout: ModelLayout) throws(StorageError) {
        self.layout = layout
        nextKeys = document.nextKeys
        for stored in document.rows {
            guard let entity = layout.entity(named: stored.entity),
                let row = Row.make(
                    entity: entity.index, key: stored.key, version: stored.version,
                    values: entity.columns.map { stored.values[$0.name] ?? .null }, kinds: entity.kinds)
            else { throw StorageError(.corrupt, "A row of '\(stored.entity)' does not fit the model.") }
            rows[entity.root, default: [:]][stored.key] = row
        }
        for stored in document.links {
            guard let table = layout.linkTables.first(where: { Self.name($0, layout) == stored.relationship }) else {
                throw StorageError(.corrupt, "A link of '\(stored.relationship)' does not fit the model.")
            }
            links[table.index, default: [:]][Pair(first: stored.first, second: stored.second)] = ChangeSet.Link(
                table: table.index, first: stored.first, second: stored.second, firstPosition: stored.firstPosition,
                secondPosition: stored.secondPosition)
        }
    }

    func document(_ metadata: StoreMetadata) -> Document {
        var document = Document(metadata: metadata, nextKeys: nextKeys)
        for row in rows.values.flatMap(\.values) {
            let entity = layout.entities[row.entity]
            var values: [String: Value] = [:]
            for (slot, column) in entity.columns.enumerated() where !row.isNull(slot) {
                values[column.name] = row.value(slot, column.kind)
            }
            document.rows.append(.init(entity: entity.name, key: row.key, version: row.version, values: values))
        }
        for link in links.values.flatMap(\.values) {
            document.links.append(
                .init(
                    relationship: Self.name(layout.linkTables[link.table], layout), first: link.first,
                    second: link.second, firstPosition: link.firstPosition, secondPosition: link.secondPosition))
        }
        return document
    }

    private static func name(_ table: LinkTableLayout, _ layout: ModelLayout) -> [String] {
        let side = layout.relationships[table.first]
        return [layout.entities[side.owner].name, side.name]
    }
}
