public import CofferSchema
public import CofferStorage
public import CofferStorageTools
public import CofferTransactions
public import Foundation

extension DataStack {
    /// Adds a storage, migrated where its data are of an older version, without waiting for it.
    ///
    /// - Parameter completion: called on the stack's view queue, after this function has returned.
    /// - Returns: the progress of the migration, which can cancel it; nil when none is needed.
    @discardableResult
    public func addStorage<T: StorageInterface>(
        _ storage: T, completion: @escaping (SetupResult<T>) -> Void
    ) -> Progress? {
        add(storage, onProgress: { _ in }) { result, _ in completion(result) }
    }

    /// Adds a storage in a file, migrated where its data are of an older version, without waiting for it.
    ///
    /// ```swift
    /// let progress = stack.addStorage(SQLiteStore(fileName: "kennel.sqlite")) { result in
    ///     if case .failure(let error) = result { print(error) }
    /// }
    /// progress?.setProgressHandler { print($0.fractionCompleted) }
    /// ```
    ///
    /// Migrations of a stack come one after the other, on a queue of their own. All steps of one are made together or
    /// not at all. With ``LocalStorageOptions/recreateStoreOnModelMismatch`` a store that cannot be migrated is erased
    /// and made anew, which is logged.
    ///
    /// - Parameter completion: called on the stack's view queue, after this function has returned.
    /// - Returns: the progress of the migration, which can cancel it; nil when none is needed.
    @discardableResult
    public func addStorage<T: LocalStorage>(
        _ storage: T, completion: @escaping (SetupResult<T>) -> Void
    ) -> Progress? {
        add(storage, onProgress: { _ in }) { result, _ in completion(result) }
    }

    /// Migrates a storage to the stack's version, without adding it.
    ///
    /// - Parameter completion: called on the stack's view queue with the steps that were made.
    /// - Returns: the progress of the migration, which can cancel it; nil when none is needed.
    /// - Throws: `mappingModelNotFound` when no steps lead from a file to the stack's version, `internalError` when none
    ///   lead there from another storage, or there is nothing.
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

    /// Tells the steps that adding a storage would take, and changes nothing.
    ///
    /// - Returns: one for each step; none when there is nothing or it has the stack's version.
    /// - Throws: `mappingModelNotFound` when no steps lead from a file to the stack's version,
    ///   `progressiveMigrationRequired` when there are several and the storage's options forbid that, `internalError` when
    ///   one cannot be made, or none lead there from another storage.
    public func requiredMigrationsForStorage<T: StorageInterface>(
        _ storage: T
    ) throws(CoreStoreError) -> [MigrationType] {
        try checkIsNew(storage)
        return try logging("The storage cannot be migrated.") { () throws(CoreStoreError) in
            try planner.steps(of: storage).map(MigrationType.init)
        }
    }

    /// Counts the data that adding a storage would drop, and changes nothing.
    ///
    /// ```swift
    /// for dropped in try stack.droppedDataForStorage(SQLiteStore(fileName: "kennel.sqlite")) {
    ///     print(dropped)  // version 'V2' drops 'Dog.colour', which 3 objects have
    /// }
    /// ```
    ///
    /// Adding the storage logs the same. What passes through the code of a `transformEntity` does not count.
    ///
    /// - Returns: one for each entity of the store that has objects, and each property that has values, and that no
    ///   version of the model on the way takes over.
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
