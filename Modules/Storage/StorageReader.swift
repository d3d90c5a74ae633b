/// Reads one consistent snapshot of a store. Used by one thread at a time.
public protocol StorageReader: AnyObject {
    /// The rows a request asks for, in its order.
    func rows(_ request: RowRequest) throws(StorageError) -> [Row]

    /// The keys of the rows a request asks for, in its order.
    func keys(_ request: RowRequest) throws(StorageError) -> [Int64]

    /// How many rows a request asks for, its offset and limit taken into account.
    func count(_ request: RowRequest) throws(StorageError) -> Int

    /// The values a request asks for: for each row or group, a value for each term.
    func values(_ request: ValueRequest) throws(StorageError) -> [[Value]]

    /// The row with a key, or nil.
    ///
    /// - Parameter root: the index of the root entity.
    func row(root: Int, key: Int64) throws(StorageError) -> Row?

    /// The rows with some keys, in any order; those that do not exist are left out.
    func rows(root: Int, keys: [Int64]) throws(StorageError) -> [Row]

    /// The objects that one to-many relationship leads to, for many owners at once.
    ///
    /// Implementations must return the related rows owner by owner, each owner's in the relationship's order or, when it
    /// has none, in the order of the keys. One request to the store must do for any number of owners that its limits
    /// allow.
    ///
    /// - Parameter relationship: the index in ``ModelLayout/relationships``.
    func related(_ relationship: Int, of owners: [Int64]) throws(StorageError) -> [RelatedRows]

    /// Ends the snapshot. The reader is not used afterwards. Releasing the reader does the same.
    func finish()
}

/// The rows that one owner's to-many relationship leads to.
public struct RelatedRows: Sendable {
    public var owner: Int64
    public var rows: [Row]

    public init(owner: Int64, rows: [Row]) {
        self.owner = owner
        self.rows = rows
    }
}
