public import CofferStorage
import CofferStorageTools

/// Creates the errors of SQL writers: unique violations, conflicts and exhausted keys.
extension SQLSchema {
    /// Returns the error for a row that breaks unique constraints of its entity.
    public func uniqueViolation(_ entity: Int, constraints: [Int]) -> StorageError {
        .uniqueViolation(layout, entity: entity, constraints: constraints)
    }

    /// Returns the error for a row to update that was deleted.
    public func conflict(_ entity: Int, _ key: Int64) -> StorageError {
        .conflict(deleted: key, of: layout.entities[entity])
    }

    /// Returns the error for a tree without free keys.
    public func noKeysLeft(_ root: Int) -> StorageError {
        StorageError(
            .full, "'\(layout.entities[root].name)' has no keys left. Export its objects, and import them elsewhere."
        )
    }
}
