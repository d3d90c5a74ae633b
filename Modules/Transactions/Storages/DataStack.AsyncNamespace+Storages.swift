public import CofferMigration
public import CofferStorage

/// Adds storages to a data stack with `await`, and reports the progress of their migrations.
extension DataStack.AsyncNamespace {
    /// Adds a storage, and migrates it first if its data have an older version.
    ///
    /// ```swift
    /// let store = try await stack.async.addStorage(InMemoryStore())
    /// ```
    ///
    /// - Returns: the storage, or the equal storage that was added before.
    /// - Throws: ``CoreStoreError``, as `addStorage(_:completion:)` reports it; the storage is unchanged.
    public func addStorage<T: StorageInterface>(_ storage: T) async throws -> T {
        try await withCheckedContinuation { (continuation: CheckedContinuation<SetupResult<T>, Never>) in
            _ = base.addStorage(storage) { continuation.resume(returning: $0) }
        }.get()
    }

    /// Adds a storage in a file, and migrates it first if its data have an older version.
    ///
    /// ```swift
    /// let store = try await stack.async.addStorage(SQLiteStore(fileName: "kennel.sqlite"))
    /// ```
    ///
    /// - Returns: the storage, or the storage that was added before for the same file.
    /// - Throws: ``CoreStoreError``, as `addStorage(_:completion:)` reports it; the file is unchanged.
    public func addStorage<T: LocalStorage>(_ storage: T) async throws -> T {
        try await withCheckedContinuation { (continuation: CheckedContinuation<SetupResult<T>, Never>) in
            _ = base.addStorage(storage) { continuation.resume(returning: $0) }
        }.get()
    }

    /// Adds a storage, and reports the progress of its migration.
    ///
    /// ```swift
    /// for try await progress in stack.async.addStorage(store) {
    ///     print(progress.fractionCompleted)
    /// }
    /// ```
    ///
    /// If the loop ends early, the migration continues.
    ///
    /// - Returns: `migrating` several times during a migration, then `finished` once. If the storage cannot be added,
    ///   the loop throws ``CoreStoreError``.
    public func addStorage<T: StorageInterface>(
        _ storage: T
    ) -> AsyncThrowingStream<MigrationProgress<T>, any Error> {
        let (stream, continuation) = AsyncThrowingStream<MigrationProgress<T>, any Error>.makeStream()
        _ = base.add(
            storage,
            onProgress: { progress in
                continuation.yield(.migrating(storage: storage, progressObject: progress))
                progress.setProgressHandler {
                    continuation.yield(.migrating(storage: storage, progressObject: $0))
                }
            },
            completion: { result, wasMigrated in
                switch result {
                case .success(let added):
                    continuation.yield(.finished(storage: added, migrationRequired: wasMigrated))
                    continuation.finish()
                case .failure(let error): continuation.finish(throwing: error)
                }
            })
        return stream
    }
}
