public import CofferStorage

/// Rows in memory, for ``ReferenceEvaluator`` to answer requests about.
public protocol RowSource {
    /// What the slots of the rows mean.
    var layout: ModelLayout { get }

    /// Calls the closure with every row of an inheritance tree, in the order of the keys, until it returns false.
    ///
    /// - Parameter root: the index of the root entity.
    func forEachRow(root: Int, _ body: (Row) -> Bool)

    /// The row with a key, or nil.
    func row(root: Int, key: Int64) -> Row?

    /// The rows a to-many relationship leads to, in its order, or in the order of the keys when it has none.
    ///
    /// - Parameter relationship: the index in `ModelLayout.relationships`.
    func related(_ relationship: Int, of owner: Int64) -> [Row]
}
