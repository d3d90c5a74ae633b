import CofferStorage

/// Checks that a store has the same rows and links as the oracle.
extension Session {
    /// Checks that the store has the same rows and links as an oracle.
    func expectContent(of oracle: Oracle) throws {
        for root in Set(layout.entities.map(\.root)).sorted() {
            try expectRows(rows(RowRequest(entity: root)), oracle.rows(root: root), "all rows of a tree")
        }
        for relationship in layout.relationships where relationship.isToMany {
            let owners = oracle.rows(root: layout.entities[relationship.owner].root).map(\.key)
            let found = try related(relationship.index, of: owners)
            for owner in owners {
                let expected = oracle.related(relationship.index, of: owner).map(\.key)
                try expectEqual(
                    found[owner] ?? [], expected, "the keys in '\(relationship.name)' of \(owner)")
            }
        }
    }
}
