import CofferStorage

/// What a commit makes of the rows of one inheritance tree, decided before anything is written.
struct TableChanges {
    /// One row before and after.
    struct Change {
        var key: Int64
        var old: Row?
        var new: Row?
        /// Whether the row is not what the change set said.
        var isRefreshed = false
        /// Whether the commit may still write into `new`.
        var isOwn = false
    }

    let plan: TablePlan
    private(set) var table: Table
    var changes: [Change] = []
    /// The places in `changes` of rows that existed before.
    private var places: [Int64: Int] = [:]
    /// The values of unique constraints after the commit, of the rows in `changes`: hashes to places.
    private var taken: [HashTable]
    /// Inserted keys that were merged away, and the keys they became.
    private(set) var merged: [Int64: Int64] = [:]

    init(_ plan: TablePlan, _ table: Table, insertCount: Int) {
        self.plan = plan
        self.table = table
        taken = plan.uniques.map { _ in HashTable(capacity: insertCount) }
        changes.reserveCapacity(insertCount)
    }

    /// The row as the changes so far leave it.
    func current(_ key: Int64) -> Row? {
        if let place = places[key] { return changes[place].new }
        return table.rows[key]
    }

    /// The place of an existing row's change, made when there is none.
    mutating func place(of key: Int64, _ old: Row) -> Int {
        if let place = places[key] { return place }
        places[key] = changes.count
        changes.append(Change(key: key, old: old, new: old))
        return changes.count - 1
    }

    /// Notes the unique values of a changed row, so that others can be held against them.
    mutating func claim(_ place: Int) {
        guard let new = changes[place].new else { return }
        for unique in plan.uniques.indices {
            if let hash = plan.uniques[unique].hash(new) { taken[unique].add(hash, place) }
        }
    }

    /// A row that has some unique values, and its place in ``changes`` if it has one.
    struct Holder {
        var key: Int64
        var place: Int?
    }

    /// The other row that has the same values in a unique constraint.
    private func holder(_ unique: Int, of row: Row, hash: UInt64) -> Holder? {
        let constraint = plan.uniques[unique]
        var found: Holder?
        if table.uniques[unique].count > 0 {
            table.candidates(unique, hash: hash) { key in
                if key == row.key || (!places.isEmpty && places[key] != nil) { return true }
                if let other = table.rows[key], constraint.isEqual(row, other) { found = Holder(key: key) }
                return found == nil
            }
        }
        if found != nil { return found }
        taken[unique].forEach(hash) { place in
            let change = changes[place]
            if change.key != row.key, let other = change.new, constraint.isEqual(row, other) {
                found = Holder(key: change.key, place: place)
            }
            return found == nil
        }
        return found
    }

    /// Throws when an updated row has the unique values of another.
    func checkUpdate(_ place: Int) throws(StorageError) {
        guard let new = changes[place].new else { return }
        for (unique, constraint) in plan.uniques.enumerated() {
            if let old = changes[place].old, constraint.isEqual(old, new) { continue }
            guard let hash = constraint.hash(new) else { continue }
            if holder(unique, of: new, hash: hash) != nil { throw .uniqueViolation(constraint) }
        }
    }

    /// Adds a new row, or returns the one other row whose unique values it has.
    mutating func insert(_ row: Row) throws(StorageError) -> Holder? {
        var holder: Holder?
        for (unique, constraint) in plan.uniques.enumerated() {
            guard let hash = constraint.hash(row), let other = self.holder(unique, of: row, hash: hash) else { continue }
            if let holder, holder.key != other.key { throw .uniqueViolation(constraint) }
            holder = other
        }
        if let holder { return holder }
        changes.append(Change(key: row.key, old: nil, new: row))
        claim(changes.count - 1)
        return nil
    }

    mutating func note(merged from: Int64, into: Int64) {
        merged[from] = into
    }

    /// The place of the change of a row that is in the table or was inserted by this commit.
    mutating func place(of holder: Holder) -> Int? {
        if let place = holder.place { return place }
        return table.rows[holder.key].map { place(of: holder.key, $0) }
    }

    /// The table with all changes made.
    ///
    /// - Throws: `invalidRequest` when an inserted key exists.
    mutating func applied() throws(StorageError) -> Table {
        removeEntries()
        for change in changes where change.new != nil || change.old != nil {
            let replaced = table.rows.set(change.new, change.key)
            if change.old == nil, replaced != nil {
                throw .invalidRequest("The key of an inserted row is in use. Reserve keys from the store.")
            }
        }
        addEntries()
        return table
    }

    private mutating func removeEntries() {
        let rows = table.rows
        for (number, index) in plan.indexes.enumerated() {
            let precedes = index.precedes(rows)
            for change in changes {
                guard let old = change.old, index.entities.contains(old.entity) else { continue }
                if let new = change.new, !index.differs(old, new) { continue }
                table.indexes[number].remove(index.entry(old), by: precedes)
            }
        }
        for (number, unique) in plan.uniques.enumerated() {
            for change in changes {
                guard let old = change.old, let hash = unique.hash(old) else { continue }
                if let new = change.new, unique.isEqual(old, new) { continue }
                table.uniques[number].remove(Entry(hash: hash, key: old.key), by: Entry.precedes)
            }
        }
        for (number, reference) in plan.references.enumerated() {
            for change in changes {
                guard let old = change.old, let entry = reference.entry(old) else { continue }
                if let new = change.new, reference.entry(new) == entry { continue }
                table.references[number].remove(entry, by: Entry.precedes)
            }
        }
    }

    private mutating func addEntries() {
        let rows = table.rows
        for (number, index) in plan.indexes.enumerated() {
            var entries = changes.compactMap { change -> Entry? in
                guard let new = change.new, index.entities.contains(new.entity) else { return nil }
                if let old = change.old, !index.differs(old, new) { return nil }
                return index.entry(new)
            }
            let precedes = index.precedes(rows)
            if entries.count > 1 { entries.sort(by: precedes) }
            table.indexes[number].insert(sorted: entries, by: precedes)
        }
        for (number, unique) in plan.uniques.enumerated() {
            var entries = changes.compactMap { change -> Entry? in
                guard let new = change.new, let hash = unique.hash(new) else { return nil }
                if let old = change.old, unique.isEqual(old, new) { return nil }
                return Entry(hash: hash, key: new.key)
            }
            if entries.count > 1 { entries.sort(by: Entry.precedes) }
            table.uniques[number].insert(sorted: entries, by: Entry.precedes)
        }
        for (number, reference) in plan.references.enumerated() {
            var entries = changes.compactMap { change -> Entry? in
                guard let new = change.new, let entry = reference.entry(new) else { return nil }
                if let old = change.old, reference.entry(old) == entry { return nil }
                return entry
            }
            if entries.count > 1 { entries.sort(by: Entry.precedes) }
            table.references[number].insert(sorted: entries, by: Entry.precedes)
        }
    }
}

extension Entry {
    /// An entry of a unique constraint.
    init(hash: UInt64, key: Int64) {
        self.init(word: SortWord(high: hash, low: 0), key: key)
    }
}

extension StorageError {
    static func uniqueViolation(_ constraint: TablePlan.Unique) -> StorageError {
        let verb = constraint.columns.count == 1 ? "already has this value" : "already have these values"
        return StorageError(.uniqueViolation, "'\(constraint.name)' \(verb).")
    }
}
