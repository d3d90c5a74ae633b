import CofferEvaluation
import CofferStorage
import CofferStorageTools

/// Collects the row changes of one commit to one inheritance tree, and finds violations of unique constraints.
final class TableChanges {
    /// A row before and after the commit.
    struct Change {
        var key: Int64
        var old: Row?
        var new: Row?
        /// Whether the new row differs from the row of the change set.
        var isRefreshed = false
        /// Whether the commit may change values of the row that indexes, unique constraints or references use.
        var isIndexed = false

        /// Sets the new row, and the version of this row.
        mutating func write(_ row: consuming RowBuilder, isRefreshed: Bool, isIndexed: Bool) {
            row.write(version: old.map { $0.version &+ 1 } ?? 1)
            new = row.build()
            self.isRefreshed = isRefreshed
            if isIndexed { self.isIndexed = true }
        }

        mutating func delete() {
            new = nil
            isIndexed = true
        }
    }

    let plan: TablePlan
    let table: Table
    // Exclusivity is not checked at run time: no access to one of these properties accesses the object again.
    @exclusivity(unchecked) var changes: [Change] = []
    /// The places in `changes` of rows that existed before the commit, by the hashes of their keys.
    @exclusivity(unchecked) private var places: HashTable
    /// The places in `changes` by the hashes of the rows' unique values after the commit.
    @exclusivity(unchecked) private var taken: [HashTable]
    /// The place in `changes` of the first row of ``add(_:)``, and the entries of all of these rows.
    @exclusivity(unchecked) private var firstFresh: Int?
    @exclusivity(unchecked) private var fresh: TreeEntries
    /// The highest inserted key, which may be the key of a merged row.
    @exclusivity(unchecked) private(set) var highestKey: Int64 = 0
    /// The keys of merged rows, with the keys of their surviving rows.
    var merged: [Int64: Int64] = [:]

    /// - Parameters:
    ///   - insertCount: the number of rows that will be inserted.
    ///   - changeCount: the number of rows that will be changed or deleted.
    init(_ plan: TablePlan, _ table: Table, insertCount: Int, changeCount: Int) {
        self.plan = plan
        self.table = table
        places = HashTable(capacity: changeCount)
        taken = plan.uniques.map { _ in HashTable(capacity: 0) }
        fresh = TreeEntries(plan, capacity: insertCount)
        changes.reserveCapacity(insertCount + changeCount)
    }

    /// Returns the row with a key after the changes so far.
    func current(_ key: Int64) -> Row? {
        if let place = place(of: key) { return changes[place].new }
        return table.rows[key]
    }

    /// Returns the place of an existing row's change; nil if there is no change.
    private func place(of key: Int64) -> Int? {
        var found: Int?
        places.forEach(ByteHash.hash(UInt64(bitPattern: key))) { place in
            if changes[place].key == key { found = place }
            return found == nil
        }
        return found
    }

    /// Returns the place of an existing row's change; adds the change if there is none.
    func place(of key: Int64, _ old: Row) -> Int { place(of: key) ?? addChange(key, old) }

    private func addChange(_ key: Int64, _ old: Row) -> Int {
        places.add(ByteHash.hash(UInt64(bitPattern: key)), changes.count)
        changes.append(Change(key: key, old: old, new: old))
        return changes.count - 1
    }

    /// Notes the unique values of a changed row, so that other rows can be compared with them.
    ///
    /// The table contains the values that the row had before.
    func claim(_ place: Int) {
        guard let new = changes[place].new else { return }
        for (number, unique) in plan.uniques.enumerated() {
            if let old = changes[place].old, unique.isEqual(old, new) { continue }
            if let hash = unique.hash(new) { taken[number].add(hash, place) }
        }
    }

    /// A row that has some unique values, and the place of the row in ``changes`` if it is known.
    struct Holder {
        var key: Int64
        var place: Int?
    }

    /// Returns the other row that has the same values in a unique constraint.
    private func holder(_ unique: Int, of row: Row, hash: UInt64) -> Holder? {
        let constraint = plan.uniques[unique]
        var found: Holder?
        if table.unique(unique).count > 0 {
            table.candidates(unique, hash: hash) { key in
                if key == row.key { return true }
                if let other = current(key), constraint.isEqual(row, other) { found = Holder(key: key) }
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

    /// Throws an error if an updated row has the unique values of another row.
    func checkUpdate(_ place: Int, _ layout: ModelLayout) throws(StorageError) {
        guard let new = changes[place].new else { return }
        for (unique, constraint) in plan.uniques.enumerated() {
            if let old = changes[place].old, constraint.isEqual(old, new) { continue }
            guard let hash = constraint.hash(new) else { continue }
            guard holder(unique, of: new, hash: hash) != nil else { continue }
            throw .uniqueViolation(layout, entity: new.entity, constraints: [unique])
        }
    }

    /// Adds a new row, whose unique values were not yet compared with the values of other rows.
    func add(_ row: Row) {
        highestKey = max(highestKey, row.key)
        if firstFresh == nil { firstFresh = changes.count }
        changes.append(Change(key: row.key, old: nil, new: row))
        fresh.add(row, without: nil, plan)
    }

    /// Removes and returns the added rows, if some may have the unique values of other rows.
    ///
    /// The caller must insert the returned rows one by one.
    func takeContested() -> [Row] {
        guard let first = firstFresh, plan.uniques.indices.contains(where: isContested) else { return [] }
        let rows = changes[first...].compactMap(\.new)
        changes.removeSubrange(first...)
        _ = takeFresh()
        return rows
    }

    private func isContested(_ unique: Int) -> Bool {
        let number = plan.indexes.count + unique
        var isTaken = false
        for entry in fresh.lists[number] {
            let take = { (_: Any) in
                isTaken = true
                return false
            }
            if table.trees[number].count > 0 { table.candidates(unique, hash: entry.word.high, take) }
            taken[unique].forEach(entry.word.high, take)
            if isTaken { return true }
        }
        fresh.lists[number].sortByWords()
        let entries = fresh.lists[number]
        return entries.indices.dropFirst().contains { entries[$0].word.high == entries[$0 - 1].word.high }
    }

    /// Removes and returns the entries of the added rows.
    func takeFresh() -> TreeEntries {
        firstFresh = nil
        var entries = TreeEntries(plan, capacity: 0)
        swap(&entries, &fresh)
        return entries
    }

    /// Discards the entries of the added rows, because these rows may still be replaced.
    ///
    /// The entries are created again when the changes are applied.
    func forgetFresh() {
        guard let first = firstFresh else { return }
        _ = takeFresh()
        for place in first..<changes.count { changes[place].isIndexed = true }
    }

    /// Inserts a new row, or returns the other rows that have its unique values.
    ///
    /// - Returns: one other row for each broken constraint; empty if the row was inserted.
    func insert(_ row: Row) -> [(constraint: Int, holder: Holder)] {
        var holders: [(constraint: Int, holder: Holder)] = []
        var hash: UInt64?
        for (unique, constraint) in plan.uniques.enumerated() {
            hash = constraint.hash(row)
            guard let hash, let other = holder(unique, of: row, hash: hash) else { continue }
            holders.append((unique, other))
        }
        guard holders.isEmpty else { return holders }
        changes.append(Change(key: row.key, old: nil, new: row, isIndexed: plan.treeCount > 0))
        if plan.uniques.count == 1 {
            if let hash { taken[0].add(hash, changes.count - 1) }
        } else {
            claim(changes.count - 1)
        }
        return []
    }

    /// Writes the columns of an inserted row into the row that has its unique values.
    func merge(_ row: Row, into holder: Holder, _ check: RowCheck) {
        guard let place = place(of: holder), let current = changes[place].new else { return }
        let new = current.merged(row, ColumnSet(below: row.slotCount), check.layout.entities[current.entity].kinds)
        changes[place].write(new, isRefreshed: true, isIndexed: true)
        claim(place)
    }

    /// Returns the row of a holder after the changes so far.
    func row(of holder: Holder) -> Row? { holder.place.map { changes[$0].new } ?? current(holder.key) }

    /// Returns the place of the change of a row that is in the table or that this commit has inserted.
    func place(of holder: Holder) -> Int? {
        if let place = holder.place ?? place(of: holder.key) { return place }
        return table.rows[holder.key].map { addChange(holder.key, $0) }
    }
}

extension Entry {
    /// Creates an entry of a unique constraint.
    init(hash: UInt64, key: Int64) { self.init(word: SortWord(high: hash, low: 0), key: key) }
}
