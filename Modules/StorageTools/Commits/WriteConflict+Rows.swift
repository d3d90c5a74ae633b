package import CofferStorage

/// Creates the `conflict` errors of a commit, whose message describes at most three conflicts.
extension WriteConflict {
    /// A conflict about a row, with its values by column.
    ///
    /// - Parameters:
    ///   - base: the row at the beginning of the transaction.
    ///   - stored: the stored row; nil if it was deleted.
    ///   - wanted: the row that the transaction wanted to save; nil if it wanted to delete the row.
    init(_ layout: ModelLayout, base: Row, stored: Row?, wanted: Row?) {
        func values(_ row: Row) -> [String: Value] {
            let columns = layout.entities[row.entity].columns
            return Dictionary(
                columns.enumerated().map { ($1.name, row.value($0, $1.kind)) }, uniquingKeysWith: { _, last in last })
        }
        let entity = layout.entities[base.entity]
        self.init(
            entity: entity.name, root: entity.root, key: base.key, base: values(base), stored: stored.map(values),
            wanted: wanted.map(values))
    }
}

extension StorageError {
    /// The error for an update of a row that another writer has deleted.
    package static func conflict(deleted key: Int64, of entity: EntityLayout) -> StorageError {
        StorageError(
            .conflict, "'\(entity.name)' \(key) was deleted by another transaction. Fetch again and repeat.")
    }

    /// The error for changes of rows that another writer has changed.
    package static func conflict(_ conflicts: [WriteConflict]) -> StorageError {
        let listed = conflicts.prefix(3).map(\.description).joined(separator: "; ")
        let rest = conflicts.count > 3 ? "; and \(conflicts.count - 3) more" : ""
        var error = StorageError(.conflict, "\(listed)\(rest). Fetch again and repeat the transaction.")
        error.conflicts = conflicts
        return error
    }
}
