import CofferEvaluation

/// A table of one inheritance tree: the rows, and the trees of indexes, unique constraints and references.
///
/// Immutable once published.
struct Table: Sendable {
    var rows = RowMap()
    /// Those of ``TablePlan/indexes``; then those of ``TablePlan/uniques``, whose entries are hashes; then those of
    /// ``TablePlan/references``, whose entries sort by owner and position.
    var trees: [EntryTree]
    private let firstUnique: Int
    private let firstReference: Int

    init(_ plan: TablePlan) {
        trees = Array(repeating: EntryTree(), count: plan.treeCount)
        firstUnique = plan.indexes.count
        firstReference = firstUnique + plan.uniques.count
    }

    func index(_ number: Int) -> EntryTree { trees[number] }
    func unique(_ number: Int) -> EntryTree { trees[firstUnique + number] }
    func reference(_ number: Int) -> EntryTree { trees[firstReference + number] }

    /// The rows whose values may be those of a unique constraint: those with the same hash.
    func candidates(_ number: Int, hash: UInt64, _ body: (Int64) -> Bool) {
        unique(number).walk(from: { $0.word.high < hash }) { $0.word.high == hash && body($0.key) }
    }
}
