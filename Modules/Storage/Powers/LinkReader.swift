/// A reader that returns the stored links of many-to-many relationships, in pages.
///
/// ``StorageReader/related(_:of:)`` returns whole rows in their order. A copy of a store needs no whole rows, but it
/// needs the keys and the places.
public protocol LinkReader: StorageReader {
    /// Returns the next links of a table, in the order of their first and then their second keys.
    ///
    /// Implementations must return each link with its places on both sides. All pages together must contain each link
    /// once (`loading/links`). If a relationship is its own inverse, implementations must return each link in one
    /// direction only, with the lower key first (`loading/self-inverse`).
    ///
    /// - Parameters:
    ///   - table: the index in ``ModelLayout/linkTables``.
    ///   - last: the last link of the previous page; nil for the first page.
    ///   - limit: the maximum number of links to return.
    func links(_ table: Int, after last: ChangeSet.Link?, limit: Int) throws(StorageError) -> [ChangeSet.Link]
}
