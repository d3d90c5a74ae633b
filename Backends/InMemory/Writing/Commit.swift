import CofferStorage
import CofferStorageTools

/// Applies a change set to a snapshot and returns the next snapshot, or throws an error and changes nothing.
///
/// Deletes come first. All updates follow, before any of them is compared with the unique constraints, so that rows may
/// exchange values. Inserts come next, one after the other, and links come last.
struct Commit {
    private let base: Snapshot
    private let changes: ChangeSet
    private var result = CommitResult()
    /// The changes of each inheritance tree, by root entity.
    private var tables: [TableChanges?]
    private let check: RowCheck

    init(_ changes: ChangeSet, to base: Snapshot) {
        self.base = base
        self.changes = changes
        check = base.check
        tables = Array(repeating: nil, count: base.tables.count)
    }

    /// Returns the next version, and the changes of the commit beyond its change set.
    mutating func run() throws(StorageError) -> (Snapshot, CommitResult) {
        try delete()
        try update()
        try insert()
        rewriteReferences()
        try clearFormerPartners()
        var tables = base.tables
        for (root, changed) in self.tables.enumerated() {
            guard let changed else { continue }
            for change in changed.changes where change.isRefreshed {
                if let row = change.new { result.refreshed.append(row) }
            }
            tables[root] = try changed.applied()
        }
        reportKept(tables)
        let links = try linked(tables)
        return (Snapshot(after: base, tables: tables, links: links), result)
    }

    private mutating func delete() throws(StorageError) {
        for delete in changes.deletes {
            let table = try table(check.root(delete.entity))
            guard let old = table.current(delete.key) else { continue }
            let place = table.place(of: delete.key, old)
            table.changes[place].delete()
        }
    }

    private mutating func update() throws(StorageError) {
        var changed: [(table: TableChanges, place: Int)] = []
        changed.reserveCapacity(changes.updates.count)
        for update in changes.updates {
            let entity = try check.entity(update.row.entity)
            let table = try table(entity.root)
            try check.row(update.row, entity)
            guard let current = table.current(update.row.key), current.entity == update.row.entity else {
                throw .conflict(deleted: update.row.key, of: base.layout.entities[update.row.entity])
            }
            let isSame = current.version == update.row.version
            let new =
                isSame
                ? update.row.stored(check.tails[entity.index])
                : current.merged(update.row, update.columns, entity.kinds)
            let place = table.place(of: update.row.key, current)
            let isIndexed = update.columns.intersects(table.plan.slots)
            table.changes[place].write(new, isRefreshed: !isSame, isIndexed: isIndexed)
            if isIndexed, !table.plan.uniques.isEmpty { changed.append((table, place)) }
        }
        for (table, place) in changed { table.claim(place) }
        for (table, place) in changed { try table.checkUpdate(place, base.layout) }
    }

    private mutating func insert() throws(StorageError) {
        guard let first = changes.inserts.first?.row.entity else { return }
        var entity = try check.entity(first)
        var table = try table(entity.root)
        for insert in changes.inserts {
            if insert.row.entity != entity.index {
                entity = try check.entity(insert.row.entity)
                table = try self.table(entity.root)
            }
            try check.row(insert.row, entity)
            // The copy is next to the rows before and after it in memory. Scans of scattered rows take twice as long.
            let row = insert.row.stored(check.tails[entity.index])
            row.write(version: 1)
            table.add(row.build())
        }
        for table in tables.compactMap(\.self) {
            for row in table.takeContested() { try insert(row, into: table) }
        }
    }

    /// Inserts a row, or merges it into the row that has its unique values.
    private mutating func insert(_ row: Row, into table: TableChanges) throws(StorageError) {
        let holders = table.insert(row)
        guard let holder = holders.first?.holder else { return }
        let matches = holders.map { constraint, holder in
            ChangeSet.UniqueMatch(
                constraint: constraint, key: holder.key, entity: table.row(of: holder)?.entity ?? row.entity)
        }
        guard let merge = try changes.merge(of: row, matching: matches, base.layout) else { return }
        if !merge.isKept { table.merge(row, into: holder, check) }
        table.merged[row.key] = holder.key
        result.merges.append(merge)
    }

    /// Reports the surviving rows that were not changed.
    private mutating func reportKept(_ tables: [Table?]) {
        guard result.merges.contains(where: \.isKept) else { return }
        var reported: [Int: Set<Int64>] = [:]
        for row in result.refreshed { reported[base.layout.entities[row.entity].root, default: []].insert(row.key) }
        for merge in result.merges where merge.isKept {
            guard reported[merge.root, default: []].insert(merge.into).inserted,
                let row = tables[merge.root]?.rows[merge.into]
            else { continue }
            result.refreshed.append(row)
        }
    }

    /// The highest key that was inserted into each inheritance tree.
    var highestKeys: [(root: Int, key: Int64)] {
        tables.compactMap { table in table.map { ($0.plan.root, $0.highestKey) } }
    }

    /// Returns the changes of one inheritance tree.
    private mutating func table(_ root: Int) throws(StorageError) -> TableChanges {
        if let table = tables[root] { return table }
        guard let plan = base.plans[root], let table = base.tables[root] else {
            throw .invalidRequest("There is no root entity with index \(root).")
        }
        let made = TableChanges(
            plan, table, insertCount: changes.inserts.count, changeCount: changes.updates.count + changes.deletes.count
        )
        tables[root] = made
        return made
    }

    /// Redirects references of the change set's rows from merged rows to surviving rows.
    private mutating func rewriteReferences() {
        guard !result.merges.isEmpty else { return }
        for table in tables.compactMap(\.self) {
            table.forgetFresh()
            for (number, reference) in table.plan.references.enumerated() {
                guard let keys = tables[reference.target]?.merged, !keys.isEmpty else { continue }
                let positions = table.places(ofMembers: number, result.merges)
                for place in table.changes.indices {
                    guard
                        let row = table.changes[place].new, reference.entities.contains(row.entity),
                        row.holds(reference.slot), let key = keys[row.integer(reference.slot)]
                    else { continue }
                    let copy = RowBuilder(copying: row)
                    copy.write(integer: key, reference.slot)
                    if let slot = reference.positionSlot, let position = positions[place] {
                        copy.write(integer: position, slot)
                    }
                    table.changes[place].new = copy.build()
                    table.changes[place].isRefreshed = true
                    table.changes[place].isIndexed = true
                }
            }
        }
    }

    /// Clears one-to-one references to surviving rows that do not refer back.
    private mutating func clearFormerPartners() throws(StorageError) {
        var survivors: [Int: Set<Int64>] = [:]
        for merge in result.merges { survivors[merge.root, default: []].insert(merge.into) }
        for (root, keys) in survivors.sorted(by: { $0.key < $1.key }) {
            for pair in base.layout.oneToOneRelationships(of: root) {
                let owners = try table(root)
                let partners = try table(check.root(pair.inverse.owner))
                guard
                    let forth = owners.plan.references.first(where: { $0.relationship == pair.relationship.index }),
                    let back = partners.plan.references.firstIndex(where: { $0.relationship == pair.inverse.index })
                else { continue }
                let targets = owners.targets(of: keys, forth)
                for source in partners.sources(of: keys, back) where targets[source.target] != source.key {
                    try partners.clear(pair.inverseSlot, of: source, base.layout)
                }
            }
        }
    }

    private func linked(_ tables: [Table?]) throws(StorageError) -> [LinkTable] {
        guard !base.links.isEmpty else { return [] }
        let layout = base.layout
        var links = base.links
        for delete in changes.deletes {
            let root = layout.entities[delete.entity].root
            for table in layout.linkTables {
                if check.root(of: table.first) == root { links[table.index].removeAll(of: delete.key, isFirst: true) }
                if check.root(of: table.second) == root { links[table.index].removeAll(of: delete.key, isFirst: false) }
            }
        }
        for link in changes.unlinks {
            let link = try survivor(link)
            links[link.table].remove(link.first, link.second)
        }
        let added = try changes.links(after: result.merges, in: layout) { relationship, owners in
            guard case .links(let table, let isFirst) = layout.relationships[relationship].storage else { return [] }
            let side = isFirst ? links[table].forward : links[table].backward
            return owners.map { owner in
                var members: [RelatedMembers.Member] = []
                side.forEachPlace(owner) { members.append(.init(key: $0, place: $1)) }
                return RelatedMembers(owner: owner, members: members)
            }
        }
        for link in added {
            let link = try survivor(link)
            let table = layout.linkTables[link.table]
            // A link to a row that another transaction has deleted is ignored, because this row will never exist
            // again.
            guard
                tables[check.root(of: table.first)]?.rows[link.first] != nil,
                tables[check.root(of: table.second)]?.rows[link.second] != nil
            else { continue }
            links[link.table].add(link)
        }
        for link in changes.moves {
            let link = try survivor(link)
            links[link.table].move(link)
        }
        return links
    }

    /// Returns the link between the surviving rows.
    private func survivor(_ link: ChangeSet.Link) throws(StorageError) -> ChangeSet.Link {
        guard base.layout.linkTables.indices.contains(link.table) else {
            throw .invalidRequest("There is no table of links with index \(link.table).")
        }
        guard !result.merges.isEmpty else { return link }
        let table = base.layout.linkTables[link.table]
        var link = link
        link.first = tables[check.root(of: table.first)]?.merged[link.first] ?? link.first
        link.second = tables[check.root(of: table.second)]?.merged[link.second] ?? link.second
        return link
    }
}
