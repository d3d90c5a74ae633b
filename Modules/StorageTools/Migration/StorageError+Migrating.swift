public import CofferStorage

/// Creates the errors of migrations for duplicate unique values, a missing store and an open store.
extension StorageError {
    /// The error for rows with equal values in a unique constraint of the model to which the store migrates.
    ///
    /// - Parameters:
    ///   - target: the model.
    ///   - root: the index of the entity that has the constraint.
    ///   - slots: the constraint's columns; empty if the store cannot determine them.
    public static func uniqueViolation(
        afterMigrationTo target: ModelLayout, root: Int, _ slots: [Int]
    ) -> StorageError {
        let name = target.constraintName(root: root, slots)
        return StorageError(
            .uniqueViolation,
            "\(name) must be unique in version '\(target.model.version)', but rows of the store have the same value. "
                + "Change these values, or map '\(target.entities[root].name)' by .transformEntity."
        )
    }

    /// The error for a migration of a store that does not exist.
    public static var nothingToMigrate: StorageError {
        StorageError(.unavailable, "There is no store to migrate. Open the store with the current model to create it.")
    }

    /// The error for a migration of a store that is open.
    public static var openWhileMigrating: StorageError {
        StorageError(.busy, "The store is open. Close it before it is migrated.", isRetryable: true)
    }
}
