package import CofferStorage
import CofferStorageTools

/// The merges of a commit, and the surviving rows as these merges leave them.
package struct SQLMergedRows {
    /// The merges, in the order of the inserts.
    package private(set) var merges: [CommitResult.Merge] = []
    private let layout: ModelLayout
    /// The surviving rows, in the order of their first merges.
    private var survivors: [(key: SQLRowKey, row: Row)] = []
    private var places: [SQLRowKey: Int] = [:]

    package init(_ layout: ModelLayout) { self.layout = layout }

    /// Prepares for a number of further merges.
    package mutating func reserve(_ count: Int) { places.reserveCapacity(places.count + count) }

    /// Adds a merge.
    ///
    /// - Parameters:
    ///   - row: the inserted row.
    ///   - holder: the surviving row before the merge.
    package mutating func add(_ merge: CommitResult.Merge, of row: Row, into holder: Row) {
        merges.append(merge)
        let survivor = merge.isKept ? holder : merged(row, holder)
        let key = SQLRowKey(root: merge.root, key: merge.into)
        if let place = places.updateValue(survivors.count, forKey: key) {
            places[key] = place
            survivors[place].row = survivor
        } else {
            survivors.append((key, survivor))
        }
    }

    /// Sorts the merges by the places of their inserts.
    package mutating func sort(like inserts: [ChangeSet.Insert]) {
        // Most often, the merges have this order.
        var next = merges.startIndex
        for insert in inserts where next < merges.endIndex && merges[next].isMerge(of: insert.row, layout) { next += 1 }
        guard next < merges.endIndex else { return }
        var places: [SQLRowKey: Int] = [:]
        for (place, insert) in inserts.enumerated() {
            places[SQLRowKey(root: layout.entities[insert.row.entity].root, key: insert.row.key)] = place
        }
        func place(_ merge: CommitResult.Merge) -> Int { places[SQLRowKey(root: merge.root, key: merge.from)] ?? 0 }
        merges.sort { place($0) < place($1) }
    }

    /// Returns the surviving row with the values of an inserted row, and with the next version.
    private func merged(_ row: Row, _ holder: Row) -> Row {
        let merged =
            row.entity == holder.entity
            ? RowBuilder(copying: row, key: holder.key, tailCapacity: row.tailSize)
            : holder.merged(row, ColumnSet(below: row.slotCount), layout.entities[holder.entity].kinds)
        merged.write(version: holder.version &+ 1)
        return merged.build()
    }

    /// Returns a surviving row after the last of its merges; nil if the row is not a surviving row.
    package func row(_ key: SQLRowKey) -> Row? { places[key].map { survivors[$0].row } }

    /// Returns the rows to report, in ascending order; without the row if the commit has changed it after the merges.
    package func reported(with changed: Set<SQLRowKey>) -> [(key: SQLRowKey, row: Row?)] {
        var reported = changed.map { (key: $0, row: Row?.none) }
        for (key, row) in survivors where changed.isEmpty || !changed.contains(key) { reported.append((key, row)) }
        return reported.sorted { $0.key < $1.key }
    }
}

extension CommitResult.Merge {
    fileprivate func isMerge(of row: Row, _ layout: ModelLayout) -> Bool {
        from == row.key && root == layout.entities[row.entity].root
    }
}
