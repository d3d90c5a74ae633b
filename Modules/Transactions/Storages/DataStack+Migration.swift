public import CofferMigration
public import CofferSchema
public import CofferStorage
public import CofferStorageTools
public import Foundation

/// Migrates a storage without adding it, or describes the migration: `upgradeStorageIfNeeded`, `droppedDataForStorage`.
extension DataStack {
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
    /// - Throws: `mappingModelNotFound` if no steps lead from a file to the stack's version. `internalError` if there
    ///   are no such steps for a storage without a file, or if the storage does not exist.
    @discardableResult
    public func upgradeStorageIfNeeded<T: StorageInterface>(
        _ storage: T, completion: @escaping (MigrationResult) -> Void
    ) throws(CoreStoreError) -> Progress? {
        let run = try planned(for: storage) { run throws(CoreStoreError) in
            try run.checkExistence()
            _ = try run.steps.get()
            return run
        }
        let progress = run.makeProgress(on: viewQueue)
        let completion = UnsafeTransfer(completion)
        migrating.async { [self] in
            let result = Result { () throws(CoreStoreError) in
                try logging("The storage could not be migrated.") { () throws(CoreStoreError) in
                    try run.run(progress).map(MigrationType.init)
                }
            }
            viewQueue.async { completion.value(result) }
        }
        return progress
    }

    /// Returns the migration steps that adding a storage would perform, and changes nothing.
    ///
    /// ```swift
    /// let steps = try stack.requiredMigrationsForStorage(SQLiteStore(fileName: "kennel.sqlite"))
    /// if steps.contains(where: \.isHeavyweightMigration) { print("This may take a minute.") }
    /// ```
    ///
    /// - Returns: one value for each step; an empty array if the storage does not exist or has the stack's version.
    /// - Throws: `mappingModelNotFound` if there are no steps from a file to the stack's version.
    ///   `progressiveMigrationRequired` if there are several steps and the options forbid them. `internalError` if a
    ///   step cannot be performed, or if there are no steps for a storage without a file.
    public func requiredMigrationsForStorage<T: StorageInterface>(
        _ storage: T
    ) throws(CoreStoreError) -> [MigrationType] {
        try planned(for: storage) { run throws(CoreStoreError) in try run.steps.get().map(MigrationType.init) }
    }

    /// Counts the data that a migration would drop, and changes nothing.
    ///
    /// ```swift
    /// for dropped in try stack.droppedDataForStorage(SQLiteStore(fileName: "kennel.sqlite")) {
    ///     print(dropped)  // version 'V2' drops the value of 'Dog.colour' in 3 objects
    /// }
    /// ```
    ///
    /// Adding the storage logs the same data. Data that a `transformEntity` mapping receives do not count.
    ///
    /// - Returns: one value for each entity with objects, and for each property with values, for which a later version
    ///   has no place.
    /// - Throws: the errors of ``requiredMigrationsForStorage(_:)``.
    public func droppedDataForStorage<T: StorageInterface>(_ storage: T) throws(CoreStoreError) -> [DroppedData] {
        try planned(for: storage) { run throws(CoreStoreError) in try run.droppedData() }
    }

    /// Plans the migration of a storage that must not have been added yet, and returns a result of the plan.
    private func planned<Output>(
        for storage: some StorageInterface, _ result: (MigrationRun) throws(CoreStoreError) -> Output
    ) throws(CoreStoreError) -> Output {
        let opener = StorageOpener(stack: self)
        let isAdded = try opener.known(storage) != nil
        Diagnostics.assert(
            !isAdded, "\(storage.storeDescription) is already in the data stack. Call this method before you add it.")
        return try logging("The storage cannot be migrated.") { () throws(CoreStoreError) in
            try result(opener.migration(of: storage).planned())
        }
    }
}
