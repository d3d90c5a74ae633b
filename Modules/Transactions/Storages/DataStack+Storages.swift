public import CofferMigration
public import CofferSchema
public import CofferStorage
public import Foundation

/// Adds storages to a data stack, and logs failures: `addStorageAndWait` and `addStorage` with a completion.
extension DataStack {
    /// Opens a store, creates it if it does not exist, and adds it to the stack.
    ///
    /// ```swift
    /// try stack.addStorageAndWait(InMemoryStore())
    /// ```
    ///
    /// If the same store was added before, the call returns it. For a store in a file, this call has the same effect as
    /// the form for a ``LocalStorage``. The call does not migrate other stores; if their data have an older version,
    /// use `addStorage(_:completion:)`.
    ///
    /// - Throws: ``CoreStoreError``, which is also logged, and the stack stays as it is. For `internalError`,
    ///   ``CoreStoreError/storageError`` has the store's error, such as `schemaMismatch` or `unavailable`.
    @discardableResult
    public func addStorageAndWait<T: StorageInterface>(_ storage: T) throws(CoreStoreError) -> T {
        try logging { () throws(CoreStoreError) in try StorageOpener(stack: self).addAtOnce(storage) }
    }

    /// Opens a store in a file, creates the file and its directory if necessary, and adds the store to the stack.
    ///
    /// ```swift
    /// try stack.addStorageAndWait(SQLiteStore(fileName: "people.sqlite"))
    /// ```
    ///
    /// If a store for the same file and configuration was added before, the call returns that store. If the file holds
    /// data of another model, the store's ``LocalStorage/localStorageOptions`` decide: the file may be migrated at
    /// once, or erased and recreated. Without options, the call throws.
    ///
    /// ```swift
    /// let store = SQLiteStore(fileName: "people.sqlite", localStorageOptions: .allowSynchronousLightweightMigration)
    /// ```
    ///
    /// - Throws: ``CoreStoreError``, which is also logged, and the stack stays as it is. For `internalError`,
    ///   ``CoreStoreError/storageError`` has the store's error, such as `schemaMismatch`, `busy` or `corrupt`.
    @discardableResult
    public func addStorageAndWait<T: LocalStorage>(_ storage: T) throws(CoreStoreError) -> T {
        try logging { () throws(CoreStoreError) in try StorageOpener(stack: self).addAtOnce(storage) }
    }

    /// Adds a storage without waiting, and migrates it first if its data have an older version.
    ///
    /// ```swift
    /// stack.addStorage(InMemoryStore()) { result in
    ///     if case .failure(let error) = result { print(error) }
    /// }
    /// ```
    ///
    /// The rules of the form for a ``LocalStorage`` apply.
    ///
    /// - Parameter completion: called on the stack's view queue with the storage or the error, after this call has
    ///   returned.
    /// - Returns: the progress of the migration, which can cancel it; nil if no migration is needed.
    @discardableResult
    public func addStorage<T: StorageInterface>(
        _ storage: T, completion: @escaping (SetupResult<T>) -> Void
    ) -> Progress? {
        add(storage, onProgress: { _ in }) { result, _ in completion(result) }
    }

    /// Adds a storage in a file without waiting, and migrates it first if its data have an older version.
    ///
    /// ```swift
    /// let progress = stack.addStorage(SQLiteStore(fileName: "kennel.sqlite")) { result in
    ///     if case .failure(let error) = result { print(error) }
    /// }
    /// progress?.setProgressHandler { print($0.fractionCompleted) }
    /// ```
    ///
    /// Migrations of a stack run one after the other, on their own queue. All steps of a migration are saved together
    /// or not at all: after a failure, the file is unchanged. With `recreateStoreOnModelMismatch` of
    /// ``LocalStorageOptions``, a store that cannot be migrated is erased and recreated, and a warning is logged.
    ///
    /// - Parameter completion: called on the stack's view queue, after this call has returned. The error is
    ///   `mappingModelNotFound` if the migration chain has no path, `userError` if a transformer threw, `userCancelled`
    ///   if the progress was cancelled, or `internalError` with the error of the store.
    /// - Returns: the progress of the migration, which can cancel it; nil if no migration is needed.
    @discardableResult
    public func addStorage<T: LocalStorage>(
        _ storage: T, completion: @escaping (SetupResult<T>) -> Void
    ) -> Progress? {
        add(storage, onProgress: { _ in }) { result, _ in completion(result) }
    }

    /// Adds a storage on the queue of migrations, and calls back on the view queue.
    ///
    /// - Parameters:
    ///   - onProgress: called before a migration begins, with its progress.
    ///   - completion: called with the result, and whether the storage was migrated.
    package func add<T: StorageInterface>(
        _ storage: T, onProgress: (Progress) -> Void,
        completion: @escaping (SetupResult<T>, _ wasMigrated: Bool) -> Void
    ) -> Progress? {
        let handover = UnsafeTransfer(completion)
        let complete = { @Sendable [viewQueue] (result: SetupResult<T>, wasMigrated: Bool) in
            viewQueue.async { handover.value(result, wasMigrated) }
        }
        let opener = StorageOpener(stack: self)
        do throws(CoreStoreError) {
            let known = try logging { () throws(CoreStoreError) in try opener.known(storage) }
            if let known {
                complete(.success(known), false)
                return nil
            }
        } catch {
            migrating.async { complete(.failure(error), false) }
            return nil
        }
        let run = opener.migration(of: storage).planned()
        let progress = run.makeProgress(on: viewQueue)
        if let progress { onProgress(progress) }
        migrating.async {
            let result = Result { () throws(CoreStoreError) in
                try self.logging { () throws(CoreStoreError) in try opener.add(storage, after: run, progress) }
            }
            complete(result, progress != nil)
        }
        return progress
    }

    /// Logs an error before it is thrown.
    func logging<Output>(
        _ message: String = "The storage could not be added.", _ body: () throws(CoreStoreError) -> Output
    ) throws(CoreStoreError) -> Output {
        do {
            return try body()
        } catch {
            Diagnostics.log(error, message)
            throw error
        }
    }
}
