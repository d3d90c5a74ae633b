import CofferSchema
public import CofferStorage
public import CofferTransactions
import Foundation

extension DataStack.AsyncNamespace {
    /// Adds a storage, migrated where its data are of an older version.
    public func addStorage<T: StorageInterface>(_ storage: T) async throws -> T {
        try await withCheckedContinuation { (continuation: CheckedContinuation<SetupResult<T>, Never>) in
            _ = base.addStorage(storage) { continuation.resume(returning: $0) }
        }.get()
    }

    /// Adds a storage in a file, migrated where its data are of an older version.
    public func addStorage<T: LocalStorage>(_ storage: T) async throws -> T {
        try await withCheckedContinuation { (continuation: CheckedContinuation<SetupResult<T>, Never>) in
            _ = base.addStorage(storage) { continuation.resume(returning: $0) }
        }.get()
    }

    /// Adds a storage, and tells how far its migration is.
    ///
    /// ```swift
    /// for try await progress in stack.async.addStorage(store) {
    ///     print(progress.fractionCompleted)
    /// }
    /// ```
    ///
    /// - Returns: `migrating` again and again while there is a migration, then `finished` once. Leaving the loop does not
    ///   stop the migration.
    public func addStorage<T: StorageInterface>(
        _ storage: T
    ) -> AsyncThrowingStream<MigrationProgress<T>, any Error> {
        let (stream, continuation) = AsyncThrowingStream<MigrationProgress<T>, any Error>.makeStream()
        let stack = base
        let progress = stack.add(
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
        _ = progress
        return stream
    }
}
