/// A reader that tells the links of many-to-many relationships as they are kept, some at a time.
///
/// ``StorageReader/related(_:of:)`` gives whole rows in their order; to copy a store one needs no more than the keys,
/// but also the places.
public protocol LinkReader: StorageReader {
    /// The next links of a table, in the order of their first and then their second keys.
    ///
    /// Implementations must give each link with its places on both sides, and pages that together are all links, each
    /// once (`loading/links`). Where a relationship is its own inverse, they must give each link one way only, with the
    /// lower key first (`loading/self-inverse`).
    ///
    /// - Parameters:
    ///   - table: the index in ``ModelLayout/linkTables``.
    ///   - last: the last link of the page before; nil for the first page.
    ///   - limit: how many links to return at most.
    func links(_ table: Int, after last: ChangeSet.Link?, limit: Int) throws(StorageError) -> [ChangeSet.Link]
}
