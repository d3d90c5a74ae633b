package import CofferSchema
package import CofferStorage
import CofferStorageTools

/// Migrates or recreates a storage, and opens it; plans again, at most 50 times, if another process changes the store.
///
/// Both forms of `addStorage`, and the methods that only describe a migration, use this type. The policy defines the
/// differences between them.
package struct StorageMigration: Sendable {
    private let storage: any StorageInterface
    private let planner: MigrationPlanner
    private let policy: MigrationPolicy

    /// The maximum number of plans for one migration, if other processes erase or replace the store in the meantime.
    ///
    /// A new plan is made only after another process has made progress. Four processes that erased and migrated one
    /// place in turn needed five plans.
    private static let maximumAttempts = 50

    /// The migration of a storage to the current version of a history.
    ///
    /// - Parameter isAtOnce: whether the caller waits for the migration.
    package init(
        of storage: any StorageInterface, _ history: SchemaHistory, _ binding: SchemaBinding, isAtOnce: Bool = false
    ) {
        self.storage = storage
        planner = MigrationPlanner(history: history, binding: binding)
        policy = MigrationPolicy(storage, isAtOnce: isAtOnce)
    }

    /// Returns a run with the steps that the storage needs now.
    package func planned() -> MigrationRun { MigrationRun(storage, planner, policy) }

    /// Opens the storage, and migrates it only if it has data of another model.
    ///
    /// - Parameter open: opens the storage.
    package func open(_ open: () throws(CoreStoreError) -> Void) throws(CoreStoreError) {
        do throws(CoreStoreError) {
            return try open()
        } catch {
            guard error.storageError?.code == .schemaMismatch else { throw error }
            if policy.allowsMigration { return try self.open(after: planned(), nil, open) }
            try recreate(after: error)
        }
        try open()
    }

    /// Migrates the storage and opens it.
    ///
    /// Another process may erase, replace or migrate the store after the plan. In this case, a new plan is made, and
    /// the store is erased only if the new plan fails.
    ///
    /// - Parameter open: opens the storage.
    package func open<Output>(
        after run: MigrationRun, _ progress: ObservedProgress?, _ open: () throws(CoreStoreError) -> Output
    ) throws(CoreStoreError) -> Output {
        var (run, attempts, isMigrated, isRecreated) = (run, 0, false, false)
        while true {
            do throws(CoreStoreError) {
                if !isMigrated { try run.run(progress) }
                isMigrated = true
                return try open()
            } catch {
                attempts += 1
                if attempts < Self.maximumAttempts, run.isReplaced(error) {
                    (run, isMigrated) = (planned(), false)
                } else {
                    // Two programs of different versions would otherwise erase each other's stores in turn.
                    if isMigrated || (isRecreated && policy.isAtOnce) { throw error }
                    try recreate(after: error)
                    (isMigrated, isRecreated) = (true, true)
                }
            }
        }
    }

    /// Erases the storage, unless another process has done so already.
    ///
    /// If the configuration of the storage contains none of the entities that differ, the storage is migrated instead,
    /// because erasing it would lose its data without need.
    ///
    /// - Parameter error: the reason that the storage cannot be used; it is thrown if the options do not allow to erase
    ///   the storage.
    private func recreate(after error: CoreStoreError) throws(CoreStoreError) {
        let reason = policy.reported(error)
        guard let local = policy.local, policy.allowsRecreation(after: error) else { throw reason }
        try CoreStoreError.converting { () throws(StorageError) in
            guard let found = try local.inspect(), isOther(found) else { return }
            if try migrateUnchangedEntities(of: local, found) { return }
            Diagnostics.log(.warning, "\(local.storeDescription) is erased and recreated: \(reason)")
            do throws(StorageError) { try local.erase(holding: found) } catch {
                // Another process that has the store open may have recreated it.
                guard error.code == .busy, let now = try local.inspect(), !isOther(now) else { throw error }
            }
        }
    }

    private func isOther(_ found: StoreMetadata) -> Bool {
        found.model.versionHashes != planner.target.versionHashes
    }

    /// Migrates a storage if none of the entities of its configuration has changed.
    ///
    /// - Returns: false if one of the entities has changed, or if the storage can be neither migrated nor opened.
    private func migrateUnchangedEntities(
        of storage: any LocalStorage, _ found: StoreMetadata
    ) throws(StorageError) -> Bool {
        let (hashes, known) = (planner.target.versionHashes, found.model.versionHashes)
        guard let names = storage.configuration.flatMap({ planner.binding.configurations[$0] }),
            names.allSatisfy({ known[$0] == hashes[$0] })
        else { return false }
        do throws(StorageError) {
            try storage.migrate(along: [.inferred(from: found.model, to: planner.target)])
            return true
        } catch {
            guard MigrationPolicy.isLasting(CoreStoreError(storage: error)) else { throw error }
            return false
        }
    }
}
