/// A source that counts the related rows of an object without reading them.
package protocol RelatedCounting {
    /// Returns the number of rows that `related(_:of:)` returns.
    func relatedCount(_ relationship: Int, of owner: Int64) -> Int
}

extension RowSource {
    /// Returns the number of rows that are related to an object by a to-many relationship.
    func count(_ relationship: Int, of owner: Int64) -> Int {
        (self as? any RelatedCounting)?.relatedCount(relationship, of: owner) ?? related(relationship, of: owner).count
    }
}
