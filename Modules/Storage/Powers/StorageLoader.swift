/// Takes the rows and links of a store that is being made.
///
/// Used by one thread at a time, during the closure that it is given to.
public protocol StorageLoader: AnyObject {
    /// Adds rows as they are.
    ///
    /// No key comes twice in a tree. Rows in the order of their keys are taken fastest.
    func add(_ rows: [Row]) throws(StorageError)

    /// Adds links, each once, after the rows that they link.
    ///
    /// Where a relationship is its own inverse, a link is given one way only, as ``LinkReader`` tells it.
    func add(_ links: [ChangeSet.Link]) throws(StorageError)

    /// Says which key of a tree is the next to be reserved; 1 unless told.
    func continueKeys(at next: Int64, root: Int) throws(StorageError)
}
