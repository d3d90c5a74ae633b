public import CofferStorage

/// Rows in memory on which ``ReferenceEvaluator`` evaluates requests.
public protocol RowSource {
    /// The model of the rows, which defines their slots.
    var layout: ModelLayout { get }

    /// Calls the closure with each row of an inheritance tree, ordered by key, until the closure returns false.
    ///
    /// - Parameter root: the index of the root entity.
    func forEachRow(root: Int, _ body: (Row) -> Bool)

    /// Returns the row with a key; nil if there is none.
    func row(root: Int, key: Int64) -> Row?

    /// Returns the related rows of a to-many relationship in its order; if it is unordered, in the order of the keys.
    ///
    /// - Parameter relationship: the index in `ModelLayout.relationships`.
    func related(_ relationship: Int, of owner: Int64) -> [Row]
}
