import CofferEvaluation
import CofferStorage
import Foundation

/// The definitions of the indexes, unique constraints and references of one inheritance tree.
struct TablePlan: Sendable {
    /// An ordered index over some columns.
    ///
    /// Rows with null are in the index, and come first.
    final class Index: Sendable {
        /// The entities whose rows are in the index.
        let entities: ColumnSet
        let columns: [(slot: Int, kind: ColumnKind)]
        /// Whether the words of entries alone can determine their order.
        let isPlain: Bool

        init(entities: ColumnSet, columns: [(slot: Int, kind: ColumnKind)]) {
            self.entities = entities
            self.columns = columns
            isPlain = columns.count == 1
        }

        func entry(_ row: Row) -> Entry {
            Entry(word: SortWord(row, columns[0].slot, columns[0].kind), key: row.key)
        }

        /// Returns the order of the entries; `rows` must contain the row of every compared entry.
        func precedes(_ rows: RowMap) -> EntryTree.Order {
            { a, b in
                if a.word != b.word { return a.word < b.word }
                if self.isPlain && a.word.isExact || a.key == b.key { return a.key < b.key }
                return self.precedesSlowly(a.key, b.key, rows)
            }
        }

        /// Sorts entries by their words, which is fast, and then entries with equal words by their rows.
        func sort(_ entries: inout [Entry], _ precedes: EntryTree.Order) {
            guard entries.count > 1 else { return }
            entries.sortByWords()
            var start = 0
            while start < entries.count {
                var end = start + 1
                while end < entries.count, entries[end].word == entries[start].word { end += 1 }
                if end - start > 1, !(isPlain && entries[start].word.isExact) {
                    entries[start..<end].sort(by: precedes)
                }
                start = end
            }
        }

        private func precedesSlowly(_ a: Int64, _ b: Int64, _ rows: RowMap) -> Bool {
            guard let left = rows[a], let right = rows[b] else { return a < b }
            return switch compare(left, right) {
            case .orderedAscending: true
            case .orderedDescending: false
            case .orderedSame: a < b
            }
        }
    }

    /// A unique constraint.
    ///
    /// The constraint does not apply to rows in which a column is null.
    struct Unique: Sendable {
        let columns: [(slot: Int, kind: ColumnKind)]
    }

    /// A to-one relationship, whose tree contains the rows that refer to each row.
    struct Reference: Sendable {
        /// The index in ``ModelLayout/relationships`` of the to-one relationship.
        let relationship: Int
        let entities: ColumnSet
        let slot: Int
        let positionSlot: Int?
        /// The root of the destination entity.
        let target: Int

        func entry(_ row: Row) -> Entry? {
            guard entities.contains(row.entity), row.holds(slot) else { return nil }
            let position = positionSlot.flatMap { row.holds($0) ? row.integer($0) : nil }
            return Entry(word: SortWord(owner: row.integer(slot), position: position), key: row.key)
        }
    }

    let root: Int
    let indexes: [Index]
    let uniques: [Unique]
    let references: [Reference]
    /// The slots that indexes, unique constraints and references use.
    let slots: ColumnSet
    /// The number of trees of a table.
    let treeCount: Int

    /// Returns the order of the entries of a tree; `rows` must contain the row of every compared entry.
    func order(_ tree: Int, _ rows: RowMap) -> EntryTree.Order {
        tree < indexes.count ? indexes[tree].precedes(rows) : Entry.precedes
    }

    /// Returns the columns of a constraint in which a row equals another row.
    func slots(ofConstraintBrokenBy row: Row, among rows: [Row]) -> [Int] {
        let broken = uniques.first { unique in
            rows.contains { $0.key != row.key && unique.hash($0) != nil && unique.isEqual($0, row) }
        }
        return broken.map { $0.columns.map(\.slot) } ?? []
    }

    init(root: Int, in layout: ModelLayout) {
        self.root = root
        var indexes: [Index] = []
        let tree = layout.entities[root]
        for entity in layout.entities where entity.root == root {
            for slots in entity.indexes {
                let columns = slots.map { (slot: $0, kind: entity.kinds[$0]) }
                // Decimals have no words. An index that starts with a decimal would only compare whole rows.
                guard let first = columns.first, first.kind != .decimal else { continue }
                indexes.append(Index(entities: ColumnSet(entity.descendants), columns: columns))
            }
        }
        self.indexes = indexes
        uniques = tree.uniqueConstraints.map { slots in Unique(columns: slots.map { ($0, tree.kinds[$0]) }) }
        references = layout.relationships.compactMap { relationship in
            guard
                layout.entities[relationship.owner].root == root,
                case .reference(let slot, let positionSlot) = relationship.storage
            else { return nil }
            return Reference(
                relationship: relationship.index,
                entities: ColumnSet(layout.entities[relationship.owner].descendants), slot: slot,
                positionSlot: positionSlot, target: layout.entities[relationship.destination].root
            )
        }
        treeCount = indexes.count + uniques.count + references.count
        let columns = indexes.flatMap(\.columns) + uniques.flatMap(\.columns)
        slots = ColumnSet(columns.map(\.slot) + references.map(\.slot) + references.compactMap(\.positionSlot))
    }
}

extension SortWord {
    /// Creates a word that is sorted by owner and then by place; entries without a place come first.
    ///
    /// The two smallest integers count as the same place.
    init(owner: Int64, position: Int64?) {
        self.init(high: Self(owner).high, low: position.map { max(Self($0).high, 1) } ?? 0)
    }
}
