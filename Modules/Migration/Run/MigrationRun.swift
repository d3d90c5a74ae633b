package import CofferSchema
package import CofferStorage
package import CofferStorageTools
package import Dispatch

/// Inspects one storage, runs its migration steps, logs the dropped data, and converts the errors of transformations.
package struct MigrationRun: Sendable {
    /// The steps, or the reason that they cannot be planned.
    package let steps: Result<[MigrationPlan], CoreStoreError>

    private let storage: any StorageInterface
    /// The recorded metadata of the storage at the time of the plan.
    private let found: Result<StoreMetadata?, CoreStoreError>

    /// Plans a migration, and changes nothing.
    init(_ storage: any StorageInterface, _ planner: MigrationPlanner, _ policy: MigrationPolicy) {
        self.storage = storage
        found = Result { () throws(CoreStoreError) in
            try storage.inMigration { () throws(StorageError) in try storage.inspect() }
        }
        steps = found.flatMap { found in
            Result { () throws(CoreStoreError) in try planner.steps(of: storage, holding: found, policy) }
        }
    }

    /// Refuses a storage that does not exist.
    package func checkExistence() throws(CoreStoreError) {
        guard try found.get() == nil else { return }
        try storage.inMigration { () throws(StorageError) in throw .nothingToMigrate }
    }

    /// The data that the steps drop.
    package func droppedData() throws(CoreStoreError) -> [DroppedData] {
        let steps = try steps.get()
        guard !steps.isEmpty else { return [] }
        return try storage.inMigration { () throws(StorageError) in try storage.droppedData(by: steps) }
    }

    /// A new progress, if there are steps.
    ///
    /// - Parameter queue: the queue on which the progress changes.
    package func makeProgress(on queue: DispatchQueue) -> ObservedProgress? {
        guard case .success(let steps) = steps, !steps.isEmpty else { return nil }
        return ObservedProgress(stepCount: steps.count, queue: queue)
    }

    /// Whether the migration failed because another process has changed the storage after the plan.
    ///
    /// The other process may have erased, replaced or migrated the storage.
    func isReplaced(_ error: CoreStoreError) -> Bool {
        guard let code = error.storageError?.code, [.unavailable, .schemaMismatch].contains(code),
            case .success(let found) = found
        else { return false }
        do throws(StorageError) {
            let now = try storage.inspect()
            return now?.store != found?.store || now?.model.versionHashes != found?.model.versionHashes
        } catch {
            return false
        }
    }

    /// Migrates the storage, and logs the data that the steps drop before they begin.
    ///
    /// - Returns: the steps.
    /// - Throws: the error of the plan, `userError` with the error of a transformer, `userCancelled`, or
    ///   `internalError`.
    @discardableResult
    package func run(_ progress: ObservedProgress?) throws(CoreStoreError) -> [MigrationPlan] {
        let steps = try steps.get()
        guard !steps.isEmpty else { return [] }
        let thrown = Locked<(any Error)?>(nil)
        do throws(StorageError) {
            for dropped in try storage.droppedData(by: steps) {
                Diagnostics.log(.warning, "The migration of \(storage.storeDescription) drops data: \(dropped).")
            }
            try storage.migrate(along: steps.map { $0.noting(thrown) }) { report throws(StorageError) in
                do throws(StorageError) {
                    try progress?.report(report)
                } catch {
                    thrown.withLock { $0 = $0 ?? CoreStoreError.userCancelled }
                    throw error
                }
            }
            return steps
        } catch {
            switch thrown.withLock(\.self) {
            case nil, is StorageError: throw CoreStoreError(storage: error)
            case let known as CoreStoreError: throw known
            case let other?: throw .userError(error: other)
            }
        }
    }
}

extension MigrationPlan {
    /// The same plan; it records the first error that a transformer throws.
    fileprivate func noting(_ thrown: Locked<(any Error)?>) -> MigrationPlan {
        var plan = self
        for (index, entity) in entities.enumerated() {
            guard let transformation = entity.transformation else { continue }
            plan.entities[index].transformation = { row in
                do {
                    try transformation(row)
                } catch {
                    thrown.withLock { $0 = $0 ?? error }
                    throw error
                }
            }
        }
        return plan
    }
}
