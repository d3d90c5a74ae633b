/// Reads the version of the model in a store.
extension StorageInterface {
    /// Reads the version of the model in the store; nil if there is no store yet.
    ///
    /// ```swift
    /// let version = try SQLiteStore(fileName: "kennel.sqlite").storedModelVersion()  // "V1"
    /// ```
    ///
    /// The store need not be open. The method creates and changes nothing.
    public func storedModelVersion() throws(StorageError) -> ModelVersion? { try inspect()?.model.version }
}
