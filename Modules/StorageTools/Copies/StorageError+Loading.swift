public import CofferStorage

extension StorageError {
    /// A store is to be loaded where there is something already.
    ///
    /// - Parameter place: the name of the file or database.
    public static func occupied(_ place: String) -> StorageError {
        StorageError(.unavailable, "There is something at '\(place)' already. Name another place, or remove it.")
    }

    /// The store is in use.
    public static var openWhileLoading: StorageError {
        StorageError(.busy, "The store is open. Close it before it is loaded.", isRetryable: true)
    }

    /// Rows that are loaded have equal values in a unique constraint.
    ///
    /// - Parameters:
    ///   - layout: the model.
    ///   - root: the index of the entity that has the constraint.
    ///   - slots: the constraint's columns; empty where the store cannot tell.
    public static func uniqueViolation(loading layout: ModelLayout, root: Int, _ slots: [Int]) -> StorageError {
        let name = layout.constraintName(root: root, slots)
        return StorageError(
            .uniqueViolation, "\(name) must be unique, but rows that are loaded have the same value. Check their store."
        )
    }

    /// Rows have values in a unique constraint that are the same as a later format keeps them.
    package static func uniqueViolation(upgrading layout: ModelLayout, root: Int, _ slots: [Int]) -> StorageError {
        StorageError(
            .uniqueViolation,
            "\(layout.constraintName(root: root, slots)) must be unique, but rows have values that are the same in the "
                + "later format. Change one of them with the release that made the store.")
    }

    /// A link that is loaded is of no relationship.
    public static func noLinkTable(_ index: Int) -> StorageError {
        .invalidRequest("There is no table of links with index \(index).")
    }
}
