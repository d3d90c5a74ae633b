import CofferStorage

/// Turns one version of the store into the next, or throws and leaves no trace.
///
/// Deletes come first, then updates, all of them before any is held against the unique constraints, so that rows may
/// exchange values; then inserts, one after the other; then links.
struct Commit {
    private let base: Snapshot
    private let changes: ChangeSet
    private var result = CommitResult()
    private var tables: [Int: TableChanges] = [:]
    private let check: CommitCheck

    init(_ changes: ChangeSet, to base: Snapshot) {
        self.base = base
        self.changes = changes
        check = CommitCheck(layout: base.layout)
    }

    /// The next version, and what the commit did beyond what it was asked to.
    mutating func run() throws(StorageError) -> (Snapshot, CommitResult) {
        try delete()
        try update()
        try insert()
        rewriteReferences()
        var tables = base.tables
        for (root, var changed) in self.tables {
            self.tables[root] = nil
            for change in changed.changes where change.isRefreshed {
                if let row = change.new { result.refreshed.append(row) }
            }
            tables[root] = nil
            tables[root] = try changed.applied()
            self.tables[root] = changed
        }
        let links = try linked(tables)
        return (Snapshot(layout: base.layout, plans: base.plans, tables: tables, links: links), result)
    }

    /// Calls the closure with the changes of one inheritance tree, in place.
    private mutating func withTable<Result>(
        _ root: Int, inserts: Int = 0, _ body: (inout TableChanges) throws(StorageError) -> Result
    ) throws(StorageError) -> Result? {
        guard let plan = base.plans[root], let table = base.tables[root] else { return nil }
        if tables[root] == nil { tables[root] = TableChanges(plan, table, insertCount: inserts) }
        guard var changed = tables.removeValue(forKey: root) else { return nil }
        defer { tables[root] = changed }
        return try body(&changed)
    }

    private mutating func delete() throws(StorageError) {
        for delete in changes.deletes {
            let root = try check.root(delete.entity)
            _ = try withTable(root) { table throws(StorageError) in
                guard let old = table.current(delete.key) else { return }
                let place = table.place(of: delete.key, old)
                table.changes[place].new = nil
            }
        }
    }

    private mutating func update() throws(StorageError) {
        var changed: [(root: Int, place: Int)] = []
        let check = check
        changed.reserveCapacity(changes.updates.count)
        for update in changes.updates {
            let root = try check.row(update.row)
            let tails = check.tails(update.row.entity)
            let place = try withTable(root) { table throws(StorageError) -> Int in
                guard let current = table.current(update.row.key), current.entity == update.row.entity else {
                    throw StorageError(.conflict, "A row to change was deleted meanwhile. Fetch again and repeat.")
                }
                let place = table.place(of: update.row.key, current)
                let old = table.changes[place].old ?? current
                let isSame = current.version == update.row.version
                let new =
                    isSame ? update.row.stored(tails) : current.merged(update.row, update.columns, check.kinds(current))
                new.write(version: old.version &+ 1)
                table.changes[place].new = new
                table.changes[place].isRefreshed = !isSame
                table.changes[place].isOwn = true
                return place
            }
            if let place { changed.append((root, place)) }
        }
        for (root, place) in changed where base.plans[root]?.uniques.isEmpty == false {
            _ = try withTable(root) { table throws(StorageError) in table.claim(place) }
        }
        for (root, place) in changed where base.plans[root]?.uniques.isEmpty == false {
            _ = try withTable(root) { table throws(StorageError) in try table.checkUpdate(place) }
        }
    }

    private mutating func insert() throws(StorageError) {
        var start = 0
        while start < changes.inserts.count {
            let root = try check.root(changes.inserts[start].row.entity)
            var end = start + 1
            while end < changes.inserts.count, check.isEntity(changes.inserts[end].row.entity, under: root) { end += 1 }
            var merges: [CommitResult.Merge] = []
            let (inserts, check) = (changes.inserts[start..<end], check)
            _ = try withTable(root, inserts: inserts.count) { table throws(StorageError) in
                for insert in inserts {
                    var row = insert.row
                    _ = try check.row(row)
                    if row.version != 1 {
                        row = row.roomier(by: 0)
                        row.write(version: 1)
                    }
                    guard let holder = try table.insert(row) else { continue }
                    try table.merge(row, into: holder, check)
                    merges.append(.init(root: root, from: row.key, into: holder.key))
                }
            }
            result.merges += merges
            start = end
        }
    }

    /// Leads references of the change set's rows to merged rows on to the rows these were merged into.
    private mutating func rewriteReferences() {
        guard !result.merges.isEmpty else { return }
        let merged = tables.mapValues(\.merged)
        for root in Array(tables.keys) {
            guard var table = tables.removeValue(forKey: root) else { continue }
            for reference in table.plan.references {
                guard let keys = merged[reference.target], !keys.isEmpty else { continue }
                for place in table.changes.indices {
                    guard
                        let row = table.changes[place].new, reference.entities.contains(row.entity),
                        row.holds(reference.slot), let key = keys[row.integer(reference.slot)]
                    else { continue }
                    let own = table.changes[place].isOwn ? row : row.roomier(by: 0)
                    own.write(integer: key, reference.slot)
                    table.changes[place].new = own
                    table.changes[place].isOwn = true
                    table.changes[place].isRefreshed = true
                }
            }
            tables[root] = table
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
        for link in changes.links {
            let link = try survivor(link)
            let table = layout.linkTables[link.table]
            // A link to a row that someone else deleted leads nowhere, now and ever.
            guard
                tables[check.root(of: table.first)]?.rows[link.first] != nil,
                tables[check.root(of: table.second)]?.rows[link.second] != nil
            else { continue }
            links[link.table].add(link)
        }
        return links
    }

    /// The link between the rows that merged ones became.
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
