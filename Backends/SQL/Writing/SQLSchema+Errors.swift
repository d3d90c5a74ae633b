public import CofferStorage
import CofferStorageTools

/// The errors of the writers of all databases.
extension SQLSchema {
    /// Says that a row breaks some unique constraints of its entity.
    public func uniqueViolation(_ entity: Int, constraints: [Int]) -> StorageError {
        .uniqueViolation(layout, entity: entity, constraints: constraints)
    }

    /// Says that a row to update is gone.
    public func conflict(_ entity: Int, _ key: Int64) -> StorageError {
        .conflict(deleted: key, of: layout.entities[entity])
    }

    /// Says that all keys of a tree are taken.
    public func noKeysLeft(_ root: Int) -> StorageError {
        StorageError(
            .full, "'\(layout.entities[root].name)' has no keys left. Copy the data into a new store."
        )
    }
}
