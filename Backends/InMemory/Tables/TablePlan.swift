import CofferEvaluation
import CofferStorage
import Foundation

/// The definitions of the indexes, unique constraints and references of one inheritance tree.
struct TablePlan: Sendable {
    /// An ordered index over some columns.
    ///
    /// Null takes part and comes first.
    final class Index: Sendable {
        /// The entities whose rows take part.
        let entities: ColumnSet
        let columns: [(slot: Int, kind: ColumnKind)]
        /// Whether an entry's word alone tells where it belongs.
        let isPlain: Bool

        init(entities: ColumnSet, columns: [(slot: Int, kind: ColumnKind)]) {
            self.entities = entities
            self.columns = columns
            isPlain = columns.count == 1
        }

        func entry(_ row: Row) -> Entry {
            Entry(word: SortWord(row, columns[0].slot, columns[0].kind), key: row.key)
        }

        /// The order of the entries; `rows` must hold the row of every entry that is compared.
        func precedes(_ rows: RowMap) -> EntryTree.Order {
            { a, b in
                if a.word != b.word { return a.word < b.word }
                if self.isPlain && a.word.isExact || a.key == b.key { return a.key < b.key }
                return self.precedesSlowly(a.key, b.key, rows)
            }
        }

        /// Sorts by the words, which is fast, and then what the words leave open.
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
    /// Rows in which a column is null do not take part.
    struct Unique: Sendable {
        let columns: [(slot: Int, kind: ColumnKind)]
    }

    /// The rows that a to-one relationship's column leads back from.
    struct Reference: Sendable {
        /// The index in ``ModelLayout/relationships`` of the to-one relationship.
        let relationship: Int
        let entities: ColumnSet
        let slot: Int
        let positionSlot: Int?
        /// The root of the entity at the other end.
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
    /// Every slot that an index, a unique constraint or a reference looks at.
    let slots: ColumnSet
    /// How many trees a table has.
    let treeCount: Int

    /// The order of the entries of one of a table's trees; `rows` must hold the row of every entry that is compared.
    func order(_ tree: Int, _ rows: RowMap) -> EntryTree.Order {
        tree < indexes.count ? indexes[tree].precedes(rows) : Entry.precedes
    }

    /// The columns of a constraint in which a row equals another one.
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
                // Decimals have no words: an index that starts with one would compare whole rows only.
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
    /// Sorts by owner, then by position with none first.
    ///
    /// A position of the smallest integers counts as none.
    init(owner: Int64, position: Int64?) {
        self.init(high: Self(owner).high, low: position.map { max(Self($0).high, 1) } ?? 0)
    }
}
