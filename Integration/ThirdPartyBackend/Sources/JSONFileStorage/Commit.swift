import CofferStorage
import CofferStorageTools

/// Applies a change set to a snapshot; if it throws an error, the snapshot is never used.
struct Commit {
    private(set) var snapshot: Snapshot
    private var result = CommitResult()
    private let before: Snapshot
    private var cleared: [Int: Set<Int64>] = [:]
    private var layout: ModelLayout { snapshot.layout }

    init(_ snapshot: Snapshot) {
        self.snapshot = snapshot
        before = snapshot
    }

    mutating func make(_ changes: ChangeSet) throws(StorageError) -> CommitResult {
        for delete in changes.deletes { remove(delete) }
        for update in changes.updates { try write(update) }
        let touched = Set(changes.updates.map { layout.entities[$0.row.entity].root })
        for root in touched.sorted() { try checkConstraints(root) }
        for insert in changes.inserts { try write(insert.row, changes) }
        for merge in result.merges { try checkConstraints(merge.root) }
        redirectReferences(changes)
        clearFormerPartners()
        for link in changes.unlinks { keep(nil, for: redirected(link)) }
        let links = try changes.links(after: result.merges, in: layout) { relationship, owners in
            JSONFileReader(snapshot).members(relationship, of: owners)
        }
        for link in links { keep(placed(link), for: link) }
        for link in changes.moves.map(redirected) where stored(link) != nil { keep(placed(link), for: link) }
        report(changes)
        return result
    }

    // MARK: Rows

    private mutating func remove(_ delete: ChangeSet.Delete) {
        let root = layout.entities[delete.entity].root
        snapshot.rows[root]?[delete.key] = nil
        for table in layout.linkTables {
            let isFirst = self.root(of: table.first) == root
            let isSecond = self.root(of: table.second) == root
            guard isFirst || isSecond, let links = snapshot.links[table.index] else { continue }
            snapshot.links[table.index] = links.filter { pair, _ in
                !(isFirst && pair.first == delete.key) && !(isSecond && pair.second == delete.key)
            }
        }
    }

    private mutating func write(_ update: ChangeSet.Update) throws(StorageError) {
        let entity = layout.entities[update.row.entity]
        guard let current = snapshot.row(root: entity.root, key: update.row.key) else {
            throw StorageError(
                .conflict, "'\(entity.name)' \(update.row.key) was deleted meanwhile. Fetch again and retry.")
        }
        var values = entity.kinds.indices.map { current.value($0, entity.kinds[$0]) }
        for slot in update.columns.slots { values[slot] = update.row.value(slot, entity.kinds[slot]) }
        try put(entity, current.key, current.version + 1, values)
    }

    /// Inserts a row, or merges it with a stored row that has the same unique values.
    private mutating func write(_ row: Row, _ changes: ChangeSet) throws(StorageError) {
        let entity = layout.entities[row.entity]
        var values = entity.kinds.indices.map { row.value($0, entity.kinds[$0]) }
        let merge = try changes.merge(of: row, matching: matches(values, entity), layout)
        guard let merge else { return try put(entity, row.key, 1, values) }
        result.merges.append(merge)
        guard !merge.isKept, let existing = snapshot.row(root: entity.root, key: merge.into) else { return }
        // The row may belong to a sub-entity, which has the same columns and additional ones.
        let own = layout.entities[existing.entity]
        values += own.kinds.indices.dropFirst(values.count).map { existing.value($0, own.kinds[$0]) }
        try put(own, existing.key, existing.version + 1, values)
    }

    private mutating func put(
        _ entity: EntityLayout, _ key: Int64, _ version: Int64, _ values: [Value]
    ) throws(StorageError) {
        let row = Row.make(entity: entity.index, key: key, version: version, values: values, kinds: entity.kinds)
        guard let row else { throw StorageError(.invalidValue, "A value does not fit '\(entity.name)'.") }
        snapshot.rows[entity.root, default: [:]][key] = row
    }

    // MARK: Unique constraints

    /// Returns the stored rows that have the same unique values as a new row.
    private func matches(_ values: [Value], _ entity: EntityLayout) -> [ChangeSet.UniqueMatch] {
        entity.uniqueConstraints.enumerated().compactMap { index, constraint in
            let wanted = constraint.map { values[$0] }
            guard !wanted.contains(.null) else { return nil }
            let found = (snapshot.rows[entity.root] ?? [:]).values.first { row in
                constraint.map { row.value($0, entity.kinds[$0]) } == wanted
            }
            return found.map { .init(constraint: index, key: $0.key, entity: $0.entity) }
        }
    }

    private func checkConstraints(_ root: Int) throws(StorageError) {
        let entity = layout.entities[root]
        for (index, constraint) in entity.uniqueConstraints.enumerated() {
            var seen: Set<[Value]> = []
            for row in (snapshot.rows[root] ?? [:]).values {
                let values = constraint.map { row.value($0, entity.kinds[$0]) }
                guard values.contains(.null) || seen.insert(values).inserted else {
                    throw .uniqueViolation(layout, entity: root, constraints: [index])
                }
            }
        }
    }

    // MARK: Merged keys

    private func redirected(_ key: Int64, _ root: Int) -> Int64 {
        result.merges.first { $0.root == root && $0.from == key }?.into ?? key
    }

    private func redirected(_ link: ChangeSet.Link) -> ChangeSet.Link {
        let table = layout.linkTables[link.table]
        var link = link
        link.first = redirected(link.first, root(of: table.first))
        link.second = redirected(link.second, root(of: table.second))
        return link
    }

    private mutating func redirectReferences(_ changes: ChangeSet) {
        guard !result.merges.isEmpty else { return }
        appendMembers()
        for row in changes.inserts.map(\.row) + changes.updates.map(\.row) {
            let root = layout.entities[row.entity].root
            let key = redirected(row.key, root)
            guard let current = snapshot.row(root: root, key: key) else { continue }
            let entity = layout.entities[current.entity]
            var values = entity.kinds.indices.map { current.value($0, entity.kinds[$0]) }
            for relationship in entity.relationships.map({ layout.relationships[$0] }) {
                guard case .reference(let slot, _) = relationship.storage, case .integer(let target) = values[slot]
                else {
                    continue
                }
                values[slot] = .integer(redirected(target, layout.entities[relationship.destination].root))
            }
            snapshot.rows[root]?[key] = Row.make(
                entity: current.entity, key: key, version: current.version, values: values, kinds: entity.kinds)
        }
    }

    /// Moves the members of ordered relationships of merged rows after the members of the surviving rows.
    private mutating func appendMembers() {
        for relationship in layout.relationships {
            guard case .inverse(let slot, let positionSlot?) = relationship.storage else { continue }
            let root = layout.entities[relationship.destination].root
            for merge in result.merges where merge.root == layout.entities[relationship.owner].root {
                let members = snapshot.members(relationship.index, of: [merge.from, merge.into])
                let last = (members[merge.into] ?? []).compactMap(\.place).max()
                let added = (members[merge.from] ?? []).map(\.row)
                for (row, place) in zip(added, ChangeSet.places(after: last, count: added.count)) {
                    let kinds = layout.entities[row.entity].kinds
                    var values = kinds.indices.map { row.value($0, kinds[$0]) }
                    (values[slot], values[positionSlot]) = (.integer(merge.into), .integer(place))
                    snapshot.rows[root]?[row.key] = Row.make(
                        entity: row.entity, key: row.key, version: row.version, values: values, kinds: kinds)
                }
            }
        }
    }

    /// Clears one-to-one references to surviving rows that do not refer back.
    private mutating func clearFormerPartners() {
        for merge in result.merges {
            let survivor = snapshot.row(root: merge.root, key: merge.into)
            for back in layout.relationships where layout.entities[back.destination].root == merge.root {
                let forth = layout.relationships[back.inverse]
                guard case .reference(let slot, _) = back.storage, case .reference(let own, _) = forth.storage else {
                    continue
                }
                let root = layout.entities[back.owner].root
                for row in (snapshot.rows[root] ?? [:]).values where layout.entity(row.entity, isKindOf: back.owner) {
                    guard !row.isNull(slot), row.integer(slot) == merge.into else { continue }
                    if let survivor, layout.entity(survivor.entity, isKindOf: forth.owner), !survivor.isNull(own),
                        survivor.integer(own) == row.key
                    {
                        continue
                    }
                    clear(slot, of: row)
                }
            }
        }
    }

    /// Sets a reference to null; the version of a row increases only once in a commit.
    private mutating func clear(_ slot: Int, of row: Row) {
        let entity = layout.entities[row.entity]
        var values = entity.kinds.indices.map { row.value($0, entity.kinds[$0]) }
        values[slot] = .null
        let isUntouched = before.row(root: entity.root, key: row.key)?.version == row.version
        snapshot.rows[entity.root]?[row.key] = Row.make(
            entity: entity.index, key: row.key, version: row.version + (isUntouched ? 1 : 0), values: values,
            kinds: entity.kinds)
        cleared[entity.root, default: []].insert(row.key)
    }

    /// Reports the rows that now differ from the rows in the change set.
    private mutating func report(_ changes: ChangeSet) {
        let told = changes.inserts.map { ($0.row, Int64(1)) } + changes.updates.map { ($0.row, $0.row.version + 1) }
        for (row, version) in told {
            let entity = layout.entities[row.entity]
            let now = snapshot.row(root: entity.root, key: redirected(row.key, entity.root))
            guard let now else { continue }
            let isAsTold =
                now.key == row.key && now.version == version && now.entity == row.entity
                && entity.kinds.indices.allSatisfy {
                    now.value($0, entity.kinds[$0]) == row.value($0, entity.kinds[$0])
                }
            if !isAsTold { result.refreshed.append(now) }
            cleared[entity.root]?.remove(now.key)
        }
        for (root, keys) in cleared {
            for key in keys { if let now = snapshot.row(root: root, key: key) { result.refreshed.append(now) } }
        }
    }

    private func root(of relationship: Int) -> Int { layout.entities[layout.relationships[relationship].owner].root }

    /// Returns the link; if it lacks a place, the place of the stored link is used.
    private func placed(_ link: ChangeSet.Link) -> ChangeSet.Link {
        var link = link
        link.firstPosition = link.firstPosition ?? stored(link)?.firstPosition
        link.secondPosition = link.secondPosition ?? stored(link)?.secondPosition
        return link
    }

    private func stored(_ link: ChangeSet.Link) -> ChangeSet.Link? {
        snapshot.links[link.table]?[.init(first: link.first, second: link.second)]
    }

    private mutating func keep(_ new: ChangeSet.Link?, for link: ChangeSet.Link) {
        snapshot.links[link.table, default: [:]][.init(first: link.first, second: link.second)] = new
    }
}
