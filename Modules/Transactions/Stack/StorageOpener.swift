package import CofferSchema
package import CofferStorage
import CofferStorageTools
import Foundation

/// Opens storages for a data stack, and resolves what their options allow when they hold data of another model.
package struct StorageOpener {
    let stack: DataStack

    package init(_ stack: DataStack) { self.stack = stack }

    private var binding: SchemaBinding { stack.binding }
    private var planner: MigrationPlanner { stack.planner }

    /// The maximum number of plans for one migration, when other processes erase or replace the store meanwhile.
    ///
    /// A further plan is made only after another process has made progress. Four processes that erase and migrate one
    /// place in turn have used up five plans.
    package static let migrationAttempts = 50

    /// Opens a storage in a file, and migrates or recreates it as its options say.
    func openResolving(_ storage: some LocalStorage) throws(CoreStoreError) {
        do throws(StorageError) {
            try open(storage)
        } catch  where error.code == .schemaMismatch {
            try resolveMismatch(of: storage, error)
        } catch {
            throw CoreStoreError(storage: error)
        }
    }

    /// Opens a store and adds it to the stack, without logging an error.
    ///
    /// A store with data of another model is an error. The store's options are not applied.
    package func openWithoutResolving<T: StorageInterface>(_ storage: T) throws(CoreStoreError) -> T {
        stack.adding.lock()
        defer { stack.adding.unlock() }
        if let known = try known(storage) { return known }
        return try CoreStoreError.converting { () throws(StorageError) in
            try open(storage)
            return storage
        }
    }

    /// The storage that was added already, or another one for the same file.
    ///
    /// - Throws: `differentStorageExistsAtURL`.
    package func known<T: StorageInterface>(_ storage: T) throws(CoreStoreError) -> T? {
        func found(_ local: some LocalStorage) throws(CoreStoreError) -> T? { try known(local) as? T }
        if let local = storage as? any LocalStorage { return try found(local) }
        return stack.stores.stores.contains { $0.storage === storage } ? storage : nil
    }

    /// The storage that was added for a file already.
    ///
    /// - Throws: `differentStorageExistsAtURL`.
    package func known<T: LocalStorage>(_ storage: T) throws(CoreStoreError) -> T? {
        func place(_ local: any LocalStorage) -> URL { local.fileURL.resolvingSymlinksInPath().standardizedFileURL }
        let url = place(storage)
        for store in stack.stores.stores {
            if store.storage === storage { return storage }
            guard let other = store.storage as? any LocalStorage, place(other) == url else {
                continue
            }
            if let other = other as? T, SchemaBinding.isSame(other.configuration, storage.configuration) {
                return other
            }
            throw .differentStorageExistsAtURL(existingPersistentStoreURL: other.fileURL)
        }
        return nil
    }

    private func resolveMismatch<T: LocalStorage>(of storage: T, _ error: StorageError) throws(CoreStoreError) {
        let options = storage.localStorageOptions
        var error = CoreStoreError(storage: error)
        if options.contains(.allowSynchronousLightweightMigration) {
            do throws(CoreStoreError) {
                return try migrateAtOnceAndOpen(storage)
            } catch let failure {
                guard failure.allowsRecreation else { throw failure }
                if case .mappingModelNotFound = failure {
                    // An asynchronous migration fails for the same reason.
                    error = failure
                } else {
                    error = .asynchronousMigrationRequired(localStoreURL: storage.fileURL, NSError: failure as NSError)
                }
            }
        }
        guard options.contains(.recreateStoreOnModelMismatch) else { throw error }
        try CoreStoreError.converting { () throws(StorageError) in
            try recreate(storage, error)
            try open(storage)
        }
    }

    /// Migrates a store at once and opens it.
    ///
    /// Repeats both if another process erased or replaced the store meanwhile.
    private func migrateAtOnceAndOpen(_ storage: some LocalStorage) throws(CoreStoreError) {
        for attempt in 1... {
            let found = try planner.found(in: storage)
            do throws(CoreStoreError) {
                try migrateAtOnce(storage)
                return try CoreStoreError.converting { () throws(StorageError) in try open(storage) }
            } catch {
                guard attempt < Self.migrationAttempts, planner.isReplaced(storage, since: found, error) else {
                    throw error
                }
            }
        }
    }

    /// Erases a storage that holds data of another model, unless another process has done so already.
    ///
    /// A storage is migrated instead if its configuration holds none of the entities that differ: it would lose its data
    /// without need.
    ///
    /// - Parameter cause: the reason, for the log.
    package func recreate(_ storage: some LocalStorage, _ cause: CoreStoreError) throws(StorageError) {
        let hashes = binding.layout.model.versionHashes
        guard let found = try storage.inspect(), found.model.versionHashes != hashes else { return }
        if let names = storage.configuration.flatMap({ binding.configurations[$0] }),
            names.allSatisfy({ found.model.versionHashes[$0] == hashes[$0] })
        {
            do throws(StorageError) {
                _ = try storage.migrate(along: [.inferred(from: found.model, to: binding.layout.model)])
                return
            } catch {
                // What can be neither migrated nor opened is erased after all, as the option says.
                guard CoreStoreError(storage: error).allowsRecreation else { throw error }
            }
        }
        Diagnostics.log(.warning, "\(storage.storeDescription) is erased and recreated: \(cause)")
        do throws(StorageError) { try storage.erase(holding: found) } catch {
            // Who has it open may have made it anew.
            guard error.code == .busy, try storage.inspect()?.model.versionHashes == hashes else { throw error }
        }
    }

    /// Migrates a store along the chain, where no step needs code, or else straight from the model it holds.
    private func migrateAtOnce<T: LocalStorage>(_ storage: T) throws(CoreStoreError) {
        var steps: [MigrationPlan] = []
        do throws(CoreStoreError) {
            steps = try planner.steps(of: storage)
        } catch .mappingModelNotFound {
            let found = try CoreStoreError.converting { () throws(StorageError) in try storage.inspect() }
            // A later version has data for which this one has no place.
            if let found, StoredVersion(found.model, stack.schemaHistory).isLater {
                throw planner.mappingModelNotFound(storage, found)
            }
            steps = found.map { [.inferred(from: $0.model, to: binding.layout.model)] } ?? []
            for step in steps {
                try CoreStoreError.converting { () throws(StorageError) in try planner.checkUnknownSource(step) }
            }
            // A newer program may have written data that the current version cannot store. Recreating the store would lose
            // all of its data.
            if let found, !storage.localStorageOptions.contains(.recreateStoreOnModelMismatch) {
                let dropped = try CoreStoreError.converting { () throws(StorageError) in
                    try storage.droppedData(by: steps)
                }
                if !dropped.isEmpty { throw planner.mappingModelNotFound(storage, found, dropping: dropped) }
            }
        }
        guard steps.allSatisfy(\.isLightweight) else {
            throw CoreStoreError(
                storage: StorageError(
                    .unsupported,
                    "A step of the migration has transformations, which are not made at once. Add the store by "
                        + "'addStorage'."
                ))
        }
        guard !steps.isEmpty else { return }
        _ = try CoreStoreError.converting { () throws(StorageError) in
            try planner.logDroppedData(of: storage, by: steps)
            try storage.migrate(along: steps)
        }
    }

    /// Opens a storage whose data have the current model.
    func open(_ storage: any StorageInterface) throws(StorageError) {
        if let problem = stack.schemaHistory.problem ?? binding.problem { throw problem }
        if let name = storage.configuration, name != DataStack.defaultConfigurationName,
            binding.configurations[name] == nil
        {
            throw .invalidModel(
                "'\(storage.storeDescription)' is for the configuration '\(name)', which version '\(stack.modelVersion)' does not have."
            )
        }
        do {
            let metadata = try storage.open(binding.layout)
            stack.stores.add(OpenStore(storage, metadata, binding.layout, uuidSlots: binding.uuidSlots))
            stack.tellStoragesChange()
        } catch {
            var error = error
            // The store knows two models; the stack knows which came first.
            if error.code == .schemaMismatch, let found = try? storage.inspect() {
                let stored = StoredVersion(found.model, stack.schemaHistory)
                error.message = stored.explanation(storage.storeDescription)
            }
            throw error.adding(operation: "open", store: storage.storeDescription)
        }
    }
}
