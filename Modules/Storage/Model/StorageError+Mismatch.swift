/// Creates the `schemaMismatch` error, which names at most three entities that differ between two models.
extension StorageError {
    /// Creates the error for a store that holds data of another model.
    ///
    /// - Parameters:
    ///   - name: the name of the store in the message, such as the name of its file.
    ///   - stored: the model in the store.
    ///   - model: the model with which the store was opened.
    public static func schemaMismatch(_ name: String, stored: StoreModel, opened model: StoreModel) -> StorageError {
        let listed = stored.listDifferences(from: model)
        let message =
            stored.version == model.version
            ? "\(name) contains data of another model that also has the version '\(model.version)'. The models "
                + "differ in \(listed). Give the changed model its own version, and migrate the store."
            : "\(name) contains data of version '\(stored.version)' of the model, which differs from version "
                + "'\(model.version)' in \(listed). Migrate the store, or open it with its own version."
        return StorageError(.schemaMismatch, message)
    }
}

extension StoreModel {
    /// Returns the names of at most three entities that make this model incompatible with another model.
    package func listDifferences(from other: StoreModel) -> String {
        let names = entitiesDiffering(from: other)
        let listed = names.prefix(3).map { "'\($0)'" }.joined(separator: ", ")
        return names.count > 3 ? "\(listed) and \(names.count - 3) more" : listed
    }
}
