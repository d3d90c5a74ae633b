package import CofferStorage

/// Makes the rows of a commit refer to surviving rows, after new rows were merged.
package protocol SQLRedirector {
    /// The tables.
    var schema: SQLSchema { get }

    /// Redirects references from merged rows to surviving rows.
    ///
    /// - Returns: the keys of the rows that had the references.
    func redirect(_ redirection: SQLRedirection) throws(StorageError) -> [Int64]

    /// Makes the members of an ordered relationship of merged rows the last members of the surviving rows.
    ///
    /// - Parameter position: the column of the place.
    /// - Returns: the keys of the members of the merged rows.
    func append(_ redirection: SQLRedirection, _ position: Int) throws(StorageError) -> [Int64]

    /// Clears references to surviving rows that do not refer back.
    ///
    /// - Parameter written: the rows that already have a new version.
    /// - Returns: the rows that had the references.
    func clearFormerPartners(
        of keys: [Int64], _ pair: OneToOne, _ written: inout Set<SQLRowKey>
    ) throws(StorageError) -> [SQLRowKey]
}

extension SQLRedirector {
    /// Redirects references from merged rows to surviving rows, and clears one-sided one-to-one references.
    ///
    /// A one-to-one reference is one-sided if the surviving row does not refer back.
    ///
    /// - Returns: the rows that were changed.
    package func redirect(
        _ changeSet: ChangeSet, _ merges: [CommitResult.Merge]
    ) throws(StorageError) -> Set<SQLRowKey> {
        var changed: Set<SQLRowKey> = []
        for redirection in schema.redirections(of: changeSet, merges) {
            let reference = redirection.reference
            let keys =
                if let position = reference.positionColumn {
                    try append(redirection, position)
                } else {
                    try redirect(redirection)
                }
            let root = schema.layout.entities[reference.entity].root
            changed.formUnion(keys.map { SQLRowKey(root: root, key: $0) })
        }
        let pairs = schema.layout.oneToOneRelationships(of: merges)
        guard !pairs.isEmpty else { return changed }
        var written = changeSet.written(merges, schema.layout)
        for (pair, keys) in pairs { changed.formUnion(try clearFormerPartners(of: keys, pair, &written)) }
        return changed
    }
}
