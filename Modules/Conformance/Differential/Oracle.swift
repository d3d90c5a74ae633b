import CofferEvaluation
import CofferStorage
import CofferStorageTools

/// A simple store in dictionaries, with which a test compares the content of the tested store.
struct Oracle: RowSource {
    struct Pair: Hashable {
        var first: Int64
        var second: Int64
    }

    let layout: ModelLayout
    /// The rows by root, then by key.
    private(set) var trees: [Int: [Int64: Row]] = [:]
    /// The links with their places on both sides, by table, then by the two keys.
    private(set) var links: [Int: [Pair: ChangeSet.Link]] = [:]
    private var sortedKeys: [Int: [Int64]] = [:]
    /// The rows that referred to merged rows, with the numbers of the merges.
    private var followers: [Follower: Int] = [:]

    private struct Follower: Hashable {
        let root: Int
        let key: Int64
        let relationship: Int
    }

    init(layout: ModelLayout) { self.layout = layout }

    func forEachRow(root: Int, _ body: (Row) -> Bool) {
        let tree = trees[root] ?? [:]
        for key in sortedKeys[root] ?? [] {
            if let row = tree[key], !body(row) { return }
        }
    }

    func row(root: Int, key: Int64) -> Row? { trees[root]?[key] }

    func rows(root: Int) -> [Row] { (sortedKeys[root] ?? []).compactMap { trees[root]?[$0] } }

    func related(_ relationship: Int, of owner: Int64) -> [Row] {
        let relation = layout.relationships[relationship]
        let root = layout.entities[relation.destination].root
        var found: [(place: Int64?, row: Row)] = []
        switch relation.storage {
        case .reference: return []
        case .inverse(let slot, let positionSlot):
            let inverseOwner = layout.relationships[relation.inverse].owner
            for row in rows(root: root) where layout.entity(row.entity, isKindOf: inverseOwner) {
                if row.number(in: slot) == owner { found.append((positionSlot.flatMap { row.number(in: $0) }, row)) }
            }
        case .links(let table, let isFirst):
            for link in (links[table] ?? [:]).values where (isFirst ? link.first : link.second) == owner {
                let place = isFirst ? link.firstPosition : link.secondPosition
                guard let row = row(root: root, key: isFirst ? link.second : link.first) else { continue }
                found.append((relation.isOrdered ? place : nil, row))
            }
        }
        return found.sorted { ($0.place ?? .min, $0.row.key) < ($1.place ?? .min, $1.row.key) }.map(\.row)
    }

    /// Applies the changes; the random change sets never fail.
    ///
    /// - Returns: the merges, in the order of the inserts.
    mutating func apply(_ changes: ChangeSet) -> [CommitResult.Merge] {
        for delete in changes.deletes { remove(delete) }
        var merges: [CommitResult.Merge] = []
        for insert in changes.inserts {
            let root = layout.entities[insert.row.entity].root
            if let existing = match(insert.row, in: root) {
                merges.append(.init(root: root, from: insert.row.key, into: existing.key))
            }
        }
        for update in changes.updates { write(update, merges) }
        for insert in changes.inserts { write(insert.row, merges) }
        appendFollowers(merges)
        clearFormerPartners(changes, merges)
        for link in changes.unlinks { keep(nil, for: redirected(link, merges)) }
        add(changes.links, merges)
        for link in changes.moves.map({ redirected($0, merges) }) where stored(link) != nil { keep(link, for: link) }
        for (root, tree) in trees { sortedKeys[root] = tree.keys.sorted() }
        return merges
    }

    private func rootOfOwner(_ relationship: Int) -> Int {
        layout.entities[layout.relationships[relationship].owner].root
    }

    private func stored(_ link: ChangeSet.Link) -> ChangeSet.Link? {
        links[link.table]?[Pair(first: link.first, second: link.second)]
    }

    private mutating func keep(_ new: ChangeSet.Link?, for link: ChangeSet.Link) {
        links[link.table, default: [:]][Pair(first: link.first, second: link.second)] = new
    }

    private mutating func remove(_ delete: ChangeSet.Delete) {
        let root = layout.entities[delete.entity].root
        trees[root]?[delete.key] = nil
        for table in layout.linkTables {
            let (isFirst, isSecond) = (rootOfOwner(table.first) == root, rootOfOwner(table.second) == root)
            links[table.index] = links[table.index]?.filter { pair, _ in
                !(isFirst && pair.first == delete.key) && !(isSecond && pair.second == delete.key)
            }
        }
    }

    private func match(_ row: Row, in root: Int) -> Row? {
        for constraint in layout.entities[root].uniqueConstraints where !constraint.contains(where: row.isNull) {
            let kinds = layout.entities[root].kinds
            let existing = rows(root: root).first { candidate in
                constraint.allSatisfy { candidate.value($0, kinds[$0]) == row.value($0, kinds[$0]) }
            }
            if let existing { return existing }
        }
        return nil
    }

    private mutating func write(_ update: ChangeSet.Update, _ merges: [CommitResult.Merge]) {
        let entity = layout.entities[update.row.entity]
        guard let current = trees[entity.root]?[update.row.key] else { return }
        var values = current.values(entity.kinds)
        for slot in update.columns.slots { values[slot] = update.row.value(slot, entity.kinds[slot]) }
        put(entity, current.key, current.version + 1, values, merges)
    }

    private mutating func write(_ row: Row, _ merges: [CommitResult.Merge]) {
        let entity = layout.entities[row.entity]
        let merge = merges.first { $0.root == entity.root && $0.from == row.key }
        let version = merge.flatMap { trees[entity.root]?[$0.into]?.version } ?? 0
        put(entity, merge?.into ?? row.key, version + 1, row.values(entity.kinds), merges)
    }

    private mutating func put(
        _ entity: EntityLayout, _ key: Int64, _ version: Int64, _ values: [Value], _ merges: [CommitResult.Merge]
    ) {
        var values = values
        for (slot, column) in entity.columns.enumerated() where column.role == .reference {
            guard case .integer(let target) = values[slot],
                let relationship = entity.relationship(named: column.name)
            else { continue }
            let root = layout.entities[layout.relationships[relationship].destination].root
            let follower = Follower(root: entity.root, key: key, relationship: relationship)
            followers[follower] = merges.firstIndex { $0.root == root && $0.from == target }
            if let merge = followers[follower].map({ merges[$0] }) { values[slot] = .integer(merge.into) }
        }
        trees[entity.root, default: [:]][key] = Row.make(
            entity: entity.index, key: key, version: version, values: values, kinds: entity.kinds)
    }

    /// Moves the members of merged rows in ordered relationships after the members of the surviving rows.
    private mutating func appendFollowers(_ merges: [CommitResult.Merge]) {
        for relationship in layout.relationships {
            guard case .reference(let slot, let positionSlot?) = relationship.storage else { continue }
            let root = layout.entities[relationship.owner].root
            let found = followers.filter { follower, merge in
                follower.relationship == relationship.index
                    && row(root: root, key: follower.key)?.number(in: slot) == merges[merge].into
            }
            func place(_ key: Int64) -> Int64? { row(root: root, key: key)?.number(in: positionSlot) }
            for into in Set(found.values.map { merges[$0].into }) {
                let added = found.filter { merges[$0.value].into == into }.map { (merge: $1, key: $0.key) }
                    .sorted { ($0.merge, place($0.key) ?? .min, $0.key) < ($1.merge, place($1.key) ?? .min, $1.key) }
                let others = (trees[root] ?? [:]).values.filter { row in
                    layout.entity(row.entity, isKindOf: relationship.owner) && row.number(in: slot) == into
                        && !added.contains { $0.key == row.key }
                }
                let places = ChangeSet.places(after: others.compactMap { place($0.key) }.max(), count: added.count)
                for ((_, key), new) in zip(added, places) {
                    guard let row = row(root: root, key: key) else { continue }
                    let kinds = layout.entities[row.entity].kinds
                    var values = row.values(kinds)
                    values[positionSlot] = .integer(new)
                    trees[root]?[key] = Row.make(
                        entity: row.entity, key: key, version: row.version, values: values, kinds: kinds)
                }
            }
        }
        followers = [:]
    }

    /// Adds links; the members of merged rows come after the members of the surviving rows.
    private mutating func add(_ links: [ChangeSet.Link], _ merges: [CommitResult.Merge]) {
        var added = links.map { redirected($0, merges) }
        for isFirst in [true, false] {
            func owner(_ link: ChangeSet.Link) -> Int64 { isFirst ? link.first : link.second }
            func member(_ link: ChangeSet.Link) -> Int64 { isFirst ? link.second : link.first }
            func place(_ link: ChangeSet.Link) -> Int64? { isFirst ? link.firstPosition : link.secondPosition }
            func rank(_ index: Int) -> (Int, Int64, Int64) {
                let merge = merges.firstIndex { $0.from == owner(links[index]) && $0.into == owner(added[index]) }
                return (merge ?? 0, place(links[index]) ?? .min, member(added[index]))
            }
            let merged = links.indices.filter { owner(links[$0]) != owner(added[$0]) }.sorted { rank($0) < rank($1) }
            var waiting = Set(merged)
            for index in merged {
                let settled = added.indices.filter { !waiting.contains($0) && added[$0].table == added[index].table }
                waiting.remove(index)
                let others = (self.links[added[index].table] ?? [:]).values + settled.map { added[$0] }
                let known = others.filter { owner($0) == owner(added[index]) }
                let isMember = known.contains { member($0) == member(added[index]) }
                let new = isMember ? nil : ChangeSet.places(after: known.compactMap(place).max(), count: 1)[0]
                if isFirst { added[index].firstPosition = new } else { added[index].secondPosition = new }
            }
        }
        for link in added {
            var placed = link
            placed.firstPosition = link.firstPosition ?? stored(link)?.firstPosition
            placed.secondPosition = link.secondPosition ?? stored(link)?.secondPosition
            keep(placed, for: link)
        }
    }

    /// Clears the references of one-to-one relationships to surviving rows that do not refer back.
    private mutating func clearFormerPartners(_ changes: ChangeSet, _ merges: [CommitResult.Merge]) {
        var written: [Int: Set<Int64>] = [:]
        for row in changes.updates.map(\.row) + changes.inserts.map(\.row) {
            written[layout.entities[row.entity].root, default: []].insert(row.key)
        }
        for merge in merges where !merge.isKept { written[merge.root, default: []].insert(merge.into) }
        for merge in merges {
            for pair in layout.oneToOneRelationships(of: merge.root) {
                let root = layout.entities[pair.inverse.owner].root
                let owner = trees[merge.root]?[merge.into]
                for row in (trees[root] ?? [:]).values where layout.entity(row.entity, isKindOf: pair.inverse.owner) {
                    guard row.number(in: pair.inverseSlot) == merge.into else { continue }
                    if let owner, layout.entity(owner.entity, isKindOf: pair.relationship.owner),
                        owner.number(in: pair.slot) == row.key
                    {
                        continue
                    }
                    let entity = layout.entities[row.entity]
                    var values = row.values(entity.kinds)
                    values[pair.inverseSlot] = .null
                    let isNew = written[root, default: []].insert(row.key).inserted
                    put(entity, row.key, row.version + (isNew ? 1 : 0), values, [])
                }
            }
        }
    }

    private func redirected(_ link: ChangeSet.Link, _ merges: [CommitResult.Merge]) -> ChangeSet.Link {
        let table = layout.linkTables[link.table]
        let (firstRoot, secondRoot) = (rootOfOwner(table.first), rootOfOwner(table.second))
        var link = link
        for merge in merges {
            if merge.root == firstRoot, merge.from == link.first { link.first = merge.into }
            if merge.root == secondRoot, merge.from == link.second { link.second = merge.into }
        }
        return link
    }
}
