import CofferEvaluation

/// A table of one inheritance tree: the rows, and the trees of indexes, unique constraints and references.
///
/// A table is immutable after it was published.
struct Table: Sendable {
    var rows = RowMap()
    /// The trees of ``TablePlan/indexes``, of ``TablePlan/uniques`` and of ``TablePlan/references``, in this order.
    ///
    /// The entries of unique constraints are hashes. The entries of references are sorted by owner and place.
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

    /// Calls the closure with the keys of the rows that have a hash in a unique constraint.
    ///
    /// Only these rows may have the values of the hash.
    func candidates(_ number: Int, hash: UInt64, _ body: (Int64) -> Bool) {
        unique(number).walk(from: { $0.word.high < hash }) { $0.word.high == hash && body($0.key) }
    }
}
