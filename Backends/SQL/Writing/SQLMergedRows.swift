package import CofferStorage
import CofferStorageTools

/// The merges of a commit, and the surviving rows as these merges leave them.
package struct SQLMergedRows {
    /// The merges, in the order of the inserts.
    package private(set) var merges: [CommitResult.Merge] = []
    private let layout: ModelLayout
    private var rows: [SQLRowKey: Row] = [:]

    package init(_ layout: ModelLayout) {
        self.layout = layout
    }

    /// Adds a merge.
    ///
    /// - Parameters:
    ///   - row: the inserted row.
    ///   - holder: the surviving row before the merge.
    package mutating func add(_ merge: CommitResult.Merge, of row: Row, into holder: Row) {
        merges.append(merge)
        rows[SQLRowKey(root: merge.root, key: merge.into)] = merge.isKept ? holder : merged(row, holder)
    }

    /// Sorts the merges by the places of their inserts.
    package mutating func sort(like inserts: [ChangeSet.Insert]) {
        guard merges.count > 1 else { return }
        var places: [SQLRowKey: Int] = [:]
        for (place, insert) in inserts.enumerated() {
            places[SQLRowKey(root: layout.entities[insert.row.entity].root, key: insert.row.key)] = place
        }
        func place(_ merge: CommitResult.Merge) -> Int { places[SQLRowKey(root: merge.root, key: merge.from)] ?? 0 }
        merges.sort { place($0) < place($1) }
    }

    /// The surviving row with the values of an inserted row, and the next version.
    private func merged(_ row: Row, _ holder: Row) -> Row {
        let merged =
            row.entity == holder.entity
            ? RowBuilder(copying: row, key: holder.key, tailCapacity: row.tailSize)
            : holder.merged(row, ColumnSet(below: row.slotCount), layout.entities[holder.entity].kinds)
        merged.write(version: holder.version &+ 1)
        return merged.build()
    }

    /// Returns a surviving row after the last of its merges; nil if the row is not a surviving row.
    package func row(_ key: SQLRowKey) -> Row? { rows[key] }

    /// Returns the rows to report, in ascending order.
    ///
    /// - Parameter changed: the rows that the commit has changed after the merges.
    package func reported(with changed: Set<SQLRowKey>) -> [SQLRowKey] { changed.union(rows.keys).sorted() }
}
