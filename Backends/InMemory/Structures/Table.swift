import CofferStorage

/// The rows of one inheritance tree and what helps to find them.
///
/// Immutable once published.
struct Table: Sendable {
    var rows = RowMap()
    /// As ``TablePlan/indexes``.
    var indexes: [EntryTree]
    /// As ``TablePlan/uniques``; entries are hashes.
    var uniques: [EntryTree]
    /// As ``TablePlan/references``; entries sort by owner and position.
    var references: [EntryTree]

    init(_ plan: TablePlan) {
        indexes = Array(repeating: EntryTree(), count: plan.indexes.count)
        uniques = Array(repeating: EntryTree(), count: plan.uniques.count)
        references = Array(repeating: EntryTree(), count: plan.references.count)
    }

    /// The rows whose values may be those of a unique constraint: those with the same hash.
    func candidates(_ unique: Int, hash: UInt64, _ body: (Int64) -> Bool) {
        uniques[unique].walk(from: { $0.word.high < hash }) { $0.word.high == hash && body($0.key) }
    }
}
