extension StorageInterface {
    /// Reads which version of the model the store holds; nil when there is no store yet.
    ///
    /// ```swift
    /// let version = try SQLiteStore(fileName: "kennel.sqlite").storedModelVersion()  // "V1"
    /// ```
    ///
    /// The store need not be open. Nothing is created or changed.
    public func storedModelVersion() throws(StorageError) -> ModelVersion? { try inspect()?.model.version }
}
