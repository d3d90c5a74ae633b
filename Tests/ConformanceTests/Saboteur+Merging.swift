import CofferStorage

@testable import CofferConformance

extension Saboteur {
    /// Defects in the other changes that belong to the merge of an insert into another row.
    static let merging: [Saboteur] = [
        .rewriting("leaves the former partner of a merged row", caughtBy: "merging/former-partner") { commit in
            let named = Set((commit.changes.inserts.map(\.row) + commit.changes.updates.map(\.row)).map(\.key))
            return commit.before.filter { !named.contains($0.key) }
        },
        .rewriting("keeps one-to-one references to a row that was not written", caughtBy: "policies/keep-references") {
            commit in
            commit.named { value, _, merge in
                guard let merge, merge.isKept, value == .integer(merge.from) else { return nil }
                return .integer(merge.into)
            }
        },
        .rewriting("keeps the places of rows that refer to a merged one", caughtBy: "merging/appends-references") {
            commit in
            commit.named { value, column, _ in
                if case .position = column.role { value } else { nil }
            }
        },
        Saboteur(
            "keeps the places of a merged row's links", caughtBy: "merging/appends-links",
            commit: { _, store, changes throws(StorageError) in
                let result = try store.commit(changes)
                let survivors = Dictionary(uniqueKeysWithValues: result.merges.map { ($0.from, $0.into) })
                var later = ChangeSet()
                later.moves = changes.links.map { link in
                    var moved = link
                    moved.first = survivors[link.first] ?? link.first
                    moved.second = survivors[link.second] ?? link.second
                    return moved
                }
                _ = try store.commit(later)
                return result
            }),
    ]

    /// Returns a saboteur that changes the values of rows after a commit that merged inserts.
    private static func rewriting(
        _ name: String, caughtBy id: String,
        _ rewrite: @escaping @Sendable (MergingCommit) throws(StorageError) -> [Row]
    ) -> Saboteur {
        Saboteur(
            name, caughtBy: id,
            commit: { me, store, changes throws(StorageError) in
                guard let layout = me.layout.withLock({ $0 }) else { return try store.commit(changes) }
                let reader = try store.makeReader()
                defer { reader.finish() }
                var result = try store.commit(changes)
                guard !result.merges.isEmpty else { return result }
                let commit = try MergingCommit(changes, result, layout, before: reader, after: store.makeReader())
                for row in try rewrite(commit) {
                    guard let now = commit.now.first(where: { $0.key == row.key && $0.entity == row.entity }) else {
                        continue
                    }
                    let kinds = layout.entities[row.entity].kinds
                    let changed = Row.make(
                        entity: row.entity, key: row.key, version: now.version, values: row.values(kinds), kinds: kinds)!
                    var later = ChangeSet()
                    later.updates = [.init(row: changed, columns: ColumnSet(below: kinds.count))]
                    _ = try store.commit(later)
                    result.refreshed.removeAll { $0.key == row.key && $0.entity == row.entity }
                }
                return result
            })
    }
}

/// A commit in which inserts were merged, and the affected rows.
private struct MergingCommit {
    let changes: ChangeSet
    let result: CommitResult
    let layout: ModelLayout
    /// The former rows that the store has changed.
    let before: [Row]
    /// The current rows that the store has changed or that the change set names.
    let now: [Row]

    init(
        _ changes: ChangeSet, _ result: CommitResult, _ layout: ModelLayout, before: any StorageReader,
        after: any StorageReader
    ) throws(StorageError) {
        defer { after.finish() }
        (self.changes, self.result, self.layout) = (changes, result, layout)
        var (old, new): ([Row], [Row]) = ([], [])
        for row in result.refreshed + changes.inserts.map(\.row) + changes.updates.map(\.row) {
            let root = layout.entities[row.entity].root
            if let found = try before.row(root: root, key: row.key) { old.append(found) }
            if let found = try after.row(root: root, key: row.key) { new.append(found) }
        }
        (self.before, now) = (old, new)
    }

    /// Returns the current rows that the change set names, with the values that the closure returns.
    func named(
        _ value: (_ given: Value, _ column: Column, _ merge: CommitResult.Merge?) -> Value?
    ) -> [Row] {
        (changes.inserts.map(\.row) + changes.updates.map(\.row)).compactMap { given in
            guard let row = now.first(where: { $0.key == given.key && $0.entity == given.entity }) else { return nil }
            let entity = layout.entities[given.entity]
            let (former, current) = (given.values(entity.kinds), row.values(entity.kinds))
            let values: [Value] = entity.columns.indices.map { slot in
                let merge = result.merges.first { former[slot] == .integer($0.from) }
                return value(former[slot], entity.columns[slot], merge) ?? current[slot]
            }
            return Row.make(
                entity: row.entity, key: row.key, version: row.version, values: values, kinds: entity.kinds)
        }
    }
}
