/// Receives the rows and links of a store during its creation.
///
/// Only one thread at a time uses it, during the closure that receives it.
public protocol StorageLoader: AnyObject {
    /// Adds rows unchanged.
    ///
    /// Within a tree, each key occurs once. Rows in the order of their keys are added fastest.
    func add(_ rows: [Row]) throws(StorageError)

    /// Adds links, each once, after the rows of their objects.
    ///
    /// If a relationship is its own inverse, a link is added in one direction only, as ``LinkReader`` returns it.
    func add(_ links: [ChangeSet.Link]) throws(StorageError)

    /// Sets the next key of a tree that can be reserved; 1 by default.
    func continueKeys(at next: Int64, root: Int) throws(StorageError)
}
