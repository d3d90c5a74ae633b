package import CofferStorage

/// A reference to a merged row, which must refer to the surviving row.
package struct SQLRedirection {
    package let reference: SQLSchema.Reference
    /// The merges of rows to which other rows of the commit may refer, in the order of the inserts.
    package let merges: [CommitResult.Merge]
}

extension SQLSchema {
    /// Finds the references of a commit to the rows that were merged.
    ///
    /// No other row refers to the merged rows. Their keys are reserved, and the store has never had rows with these
    /// keys.
    package func redirections(of changes: ChangeSet, _ merges: [CommitResult.Merge]) -> [SQLRedirection] {
        var redirections: [SQLRedirection] = []
        for (root, merges) in Dictionary(grouping: merges, by: \.root).sorted(by: { $0.key < $1.key }) {
            let references = references(to: root)
            guard !references.isEmpty else { continue }
            let merged = Set(merges.map(\.from))
            for reference in references {
                var found: Set<Int64> = []
                func find(in row: Row) {
                    guard layout.entity(row.entity, isKindOf: reference.entity), !row.isNull(reference.slot) else {
                        return
                    }
                    let key = row.integer(reference.slot)
                    if merged.contains(key) { found.insert(key) }
                }
                for insert in changes.inserts { find(in: insert.row) }
                for update in changes.updates { find(in: update.row) }
                guard !found.isEmpty else { continue }
                redirections.append(.init(reference: reference, merges: merges.filter { found.contains($0.from) }))
            }
        }
        return redirections
    }
}
