public import CofferSchema
public import CofferStorage
public import CofferStorageTools
public import CofferTransactions
public import Foundation

extension DataStack {
    /// Adds a storage without waiting, and migrates it first if its data have an older version.
    ///
    /// ```swift
    /// stack.addStorage(InMemoryStore()) { result in
    ///     if case .failure(let error) = result { print(error) }
    /// }
    /// ```
    ///
    /// The rules are those of the form for a ``LocalStorage``.
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
    /// Migrations of a stack run one after the other, on their own queue. All steps of a migration are made together or
    /// not at all: after a failure, the file is unchanged. With `recreateStoreOnModelMismatch` of
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

    /// Migrates a storage to the stack's version, without adding it.
    ///
    /// ```swift
    /// try stack.upgradeStorageIfNeeded(SQLiteStore(fileName: "kennel.sqlite")) { result in
    ///     print(result)
    /// }
    /// ```
    ///
    /// Call it before the storage is added; an assertion fails if it was added.
    ///
    /// - Parameter completion: called on the stack's view queue with the completed steps, or with the error; the
    ///   storage is unchanged after an error.
    /// - Returns: the progress of the migration, which can cancel it; nil if no migration is needed.
    /// - Throws: `mappingModelNotFound` if no steps lead from a file to the stack's version. `internalError` if none
    ///   lead there from another storage, or the storage does not exist.
    @discardableResult
    public func upgradeStorageIfNeeded<T: StorageInterface>(
        _ storage: T, completion: @escaping (MigrationResult) -> Void
    ) throws(CoreStoreError) -> Progress? {
        try checkIsNew(storage)
        try checkIsThere(storage)
        let run = try logging("The storage cannot be migrated.") { () throws(CoreStoreError) in
            try MigrationRun(self, storage)
        }
        let completion = OnQueue(viewQueue, completion)
        migrating.async { [self] in
            completion.call(
                Result { () throws(CoreStoreError) in
                    try logging("The storage could not be migrated.") { () throws(CoreStoreError) in
                        if !run.steps.isEmpty { try run.run() }
                    }
                    return run.types
                })
        }
        return run.steps.isEmpty ? nil : run.progress
    }

    /// Returns the migration steps that adding a storage would make, and changes nothing.
    ///
    /// ```swift
    /// let steps = try stack.requiredMigrationsForStorage(SQLiteStore(fileName: "kennel.sqlite"))
    /// if steps.contains(where: \.isHeavyweightMigration) { print("This may take a minute.") }
    /// ```
    ///
    /// - Returns: one value for each step; an empty array if the storage does not exist or has the stack's version.
    /// - Throws: `mappingModelNotFound` if no steps lead from a file to the stack's version.
    ///   `progressiveMigrationRequired` if there are several steps and the options forbid them. `internalError` if a
    ///   step cannot be made, or if no steps lead from a storage without a file.
    public func requiredMigrationsForStorage<T: StorageInterface>(
        _ storage: T
    ) throws(CoreStoreError) -> [MigrationType] {
        try checkIsNew(storage)
        return try logging("The storage cannot be migrated.") { () throws(CoreStoreError) in
            try planner.steps(of: storage).map(MigrationType.init)
        }
    }

    /// Counts the data that a migration would drop, and changes nothing.
    ///
    /// ```swift
    /// for dropped in try stack.droppedDataForStorage(SQLiteStore(fileName: "kennel.sqlite")) {
    ///     print(dropped)  // version 'V2' drops 'Dog.colour', which 3 objects have
    /// }
    /// ```
    ///
    /// Adding the storage logs the same data. Data that pass through the code of a `transformEntity` do not count.
    ///
    /// - Returns: one value for each entity with objects, and for each property with values, that a later version does
    ///   not take over.
    /// - Throws: the errors of ``requiredMigrationsForStorage(_:)``.
    public func droppedDataForStorage<T: StorageInterface>(_ storage: T) throws(CoreStoreError) -> [DroppedData] {
        try checkIsNew(storage)
        return try logging("The storage cannot be migrated.") { () throws(CoreStoreError) in
            let steps = try planner.steps(of: storage)
            do throws(StorageError) {
                return steps.isEmpty ? [] : try storage.droppedData(by: steps)
            } catch {
                throw CoreStoreError(error.adding(operation: "migrate", store: storage.storeDescription))
            }
        }
    }

    private func checkIsNew(_ storage: some StorageInterface) throws(CoreStoreError) {
        let isAdded = try StorageOpener(self).known(storage) != nil
        Diagnostics.assert(
            !isAdded, "\(storage.storeDescription) was added to the data stack already. Ask before it is added.")
    }

    private func checkIsThere(_ storage: some StorageInterface) throws(CoreStoreError) {
        do throws(StorageError) {
            guard try storage.inspect() == nil else { return }
            throw .nothingToMigrate
        } catch {
            throw CoreStoreError(error.adding(operation: "migrate", store: storage.storeDescription))
        }
    }
}
