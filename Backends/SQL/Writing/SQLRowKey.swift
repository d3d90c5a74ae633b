package import CofferStorage

/// Identifies a row of a store by its root entity and its key.
package struct SQLRowKey: Hashable, Comparable {
    package let root: Int
    package let key: Int64

    package init(root: Int, key: Int64) {
        self.root = root
        self.key = key
    }

    package static func < (left: SQLRowKey, right: SQLRowKey) -> Bool {
        (left.root, left.key) < (right.root, right.key)
    }
}

extension ChangeSet {
    /// Returns the rows to which the changes have given a new version, after merges of new rows.
    package func written(_ merges: [CommitResult.Merge], _ layout: ModelLayout) -> Set<SQLRowKey> {
        let rows = updates.map(\.row) + inserts.map(\.row)
        var written = Set(rows.map { SQLRowKey(root: layout.entities[$0.entity].root, key: $0.key) })
        for merge in merges where !merge.isKept { written.insert(SQLRowKey(root: merge.root, key: merge.into)) }
        return written
    }
}

extension ModelLayout {
    /// Returns the one-to-one relationships of surviving rows, each with the keys of these rows in ascending order.
    package func oneToOneRelationships(of merges: [CommitResult.Merge]) -> [(pair: OneToOne, keys: [Int64])] {
        let survivors = Dictionary(grouping: merges, by: \.root).mapValues { Set($0.map(\.into)).sorted() }
        return survivors.keys.sorted().flatMap { root in
            oneToOneRelationships(of: root).map { (pair: $0, keys: survivors[root] ?? []) }
        }
    }
}
