public import CofferStorage

/// Creates the errors of loading and upgrading: an occupied place, an open store, and equal unique values.
extension StorageError {
    /// The error for loading a store at a place where something exists already.
    ///
    /// - Parameter place: the name of the file or database.
    public static func occupied(_ place: String) -> StorageError {
        StorageError(.unavailable, "Something exists at '\(place)' already. Choose another place, or remove it.")
    }

    /// The error for loading a store that is open.
    public static var openWhileLoading: StorageError {
        StorageError(.busy, "The store is open. Close it before it is loaded.", isRetryable: true)
    }

    /// The error for loaded rows with equal values in a unique constraint.
    ///
    /// - Parameters:
    ///   - layout: the model.
    ///   - root: the index of the entity that has the constraint.
    ///   - slots: the constraint's columns; empty if the store cannot determine them.
    public static func uniqueViolation(loading layout: ModelLayout, root: Int, _ slots: [Int]) -> StorageError {
        let name = layout.constraintName(root: root, slots)
        return StorageError(
            .uniqueViolation, "\(name) must be unique, but loaded rows have the same value. Check the source store."
        )
    }

    /// The error for rows whose values in a unique constraint become equal in a later format.
    package static func uniqueViolation(upgrading layout: ModelLayout, root: Int, _ slots: [Int]) -> StorageError {
        StorageError(
            .uniqueViolation,
            "\(layout.constraintName(root: root, slots)) must be unique, but rows have values that become equal in the "
                + "later format. Change one of these values with the release of Coffer that created the store.")
    }

    /// The error for a loaded link that belongs to no relationship.
    public static func noLinkTable(_ index: Int) -> StorageError {
        .invalidRequest("There is no table of links with index \(index).")
    }
}
