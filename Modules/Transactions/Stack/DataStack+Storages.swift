public import CofferSchema
public import CofferStorage
import Foundation

extension DataStack {
    /// Opens a store, creating it when there is nothing yet, and adds it to the stack.
    ///
    /// Adding the same store again returns it. One in a file is treated as a ``LocalStorage``, whatever is known of its
    /// type.
    ///
    /// - Throws: ``CoreStoreError``, logged once; `internalError` carries the store's own words in
    ///   ``CoreStoreError/storageError``.
    @discardableResult
    public func addStorageAndWait<T: StorageInterface>(_ storage: T) throws(CoreStoreError) -> T {
        func added(_ local: some LocalStorage) throws(CoreStoreError) -> T? { try addStorageAndWait(local) as? T }
        if let local = storage as? any LocalStorage, let added = try added(local) { return added }
        return try reporting { () throws(CoreStoreError) in
            if backing.stores.contains(where: { $0.storage === storage }) { return storage }
            return try converting { () throws(StorageError) in
                try open(storage)
                return storage
            }
        }
    }

    /// Opens a store in a file, creating it and its directory when there is nothing yet, and adds it to the stack.
    ///
    /// A store that was already added for the same file and configuration is returned instead. A file that holds data
    /// of another model is treated as the store's ``LocalStorage/localStorageOptions`` say.
    @discardableResult
    public func addStorageAndWait<T: LocalStorage>(_ storage: T) throws(CoreStoreError) -> T {
        try reporting { () throws(CoreStoreError) in
            if let known = try known(storage) { return known }
            do throws(StorageError) {
                try open(storage)
            } catch  where error.code == .schemaMismatch {
                try resolveMismatch(of: storage, error)
            } catch {
                throw CoreStoreError(storage: error)
            }
            return storage
        }
    }

    /// Opens a store and adds it to the stack, without logging an error.
    ///
    /// A store with data of another model is an error. The store's options are not applied.
    package func openWithoutResolving<T: StorageInterface>(_ storage: T) throws(CoreStoreError) -> T {
        adding.lock()
        defer { adding.unlock() }
        if let known = try known(storage) { return known }
        return try converting { () throws(StorageError) in
            try open(storage)
            return storage
        }
    }

    /// Whether objects may be in more than one store.
    package var hasSeveralStores: Bool { backing.stores.count > 1 }

    /// The maximum number of plans for one migration, when other processes erase or replace the store meanwhile.
    ///
    /// A further plan is made only after another process has made progress. Four processes that erase and migrate one
    /// place in turn have used up five plans.
    package static let migrationAttempts = 50

    /// The storage that was added already, or another one for the same file.
    ///
    /// - Throws: `differentStorageExistsAtURL`.
    package func known<T: StorageInterface>(_ storage: T) throws(CoreStoreError) -> T? {
        func found(_ local: some LocalStorage) throws(CoreStoreError) -> T? { try known(local) as? T }
        if let local = storage as? any LocalStorage { return try found(local) }
        return backing.stores.contains { $0.storage === storage } ? storage : nil
    }

    /// The storage that was added for a file already.
    ///
    /// - Throws: `differentStorageExistsAtURL`.
    package func known<T: LocalStorage>(_ storage: T) throws(CoreStoreError) -> T? {
        func place(_ local: any LocalStorage) -> URL { local.fileURL.resolvingSymlinksInPath().standardizedFileURL }
        let url = place(storage)
        for store in backing.stores {
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
        try converting { () throws(StorageError) in
            try recreate(storage, error)
            try open(storage)
        }
    }

    /// Migrates a store at once and opens it.
    ///
    /// Repeats both if another process erased or replaced the store meanwhile.
    private func migrateAtOnceAndOpen(_ storage: some LocalStorage) throws(CoreStoreError) {
        for attempt in 1... {
            let found = try found(in: storage)
            do throws(CoreStoreError) {
                try migrateAtOnce(storage)
                return try converting { () throws(StorageError) in try open(storage) }
            } catch {
                guard attempt < Self.migrationAttempts, isReplaced(storage, since: found, error) else { throw error }
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
            steps = try migrationSteps(of: storage)
        } catch .mappingModelNotFound {
            let found = try converting { () throws(StorageError) in try storage.inspect() }
            // A later version has data for which this one has no place.
            if let found, StoredVersion(found.model, schemaHistory).isLater {
                throw mappingModelNotFound(storage, found)
            }
            steps = found.map { [.inferred(from: $0.model, to: binding.layout.model)] } ?? []
            for step in steps { try converting { () throws(StorageError) in try checkUnknownSource(step) } }
            // A newer program may have written data that the current version cannot store. Recreating the store would lose
            // all of its data.
            if let found, !storage.localStorageOptions.contains(.recreateStoreOnModelMismatch) {
                let dropped = try converting { () throws(StorageError) in try storage.droppedData(by: steps) }
                if !dropped.isEmpty { throw mappingModelNotFound(storage, found, dropping: dropped) }
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
        _ = try converting { () throws(StorageError) in
            try logDroppedData(of: storage, by: steps)
            try storage.migrate(along: steps)
        }
    }

    private func open(_ storage: any StorageInterface) throws(StorageError) {
        if let problem = schemaHistory.problem ?? binding.problem { throw problem }
        if let name = storage.configuration, name != DataStack.defaultConfigurationName,
            binding.configurations[name] == nil
        {
            throw .invalidModel(
                "'\(storage.storeDescription)' is for the configuration '\(name)', which version '\(modelVersion)' does not have."
            )
        }
        do {
            let metadata = try storage.open(binding.layout)
            backing.add(OpenStore(storage, metadata, binding.layout, uuidSlots: binding.uuidSlots))
            tellStoragesChange()
        } catch {
            var error = error
            // The store knows two models; the stack knows which came first.
            if error.code == .schemaMismatch, let found = try? storage.inspect() {
                let stored = StoredVersion(found.model, schemaHistory)
                error.message = stored.explanation(storage.storeDescription)
            }
            throw error.adding(operation: "open", store: storage.storeDescription)
        }
    }

    /// Removes every store from the stack and closes it.
    ///
    /// What is in files stays there.
    ///
    /// The stack's objects keep the values they have and become useless otherwise.
    ///
    /// - Parameter completion: called on the view queue.
    public func unsafeRemoveAllPersistentStores(completion: @escaping () -> Void = {}) {
        let completion = Handover(completion)
        view.turns.enter()
        writer.async { [self] in
            defer { view.turns.leave() }
            let removed = closeAll()
            viewQueue.async { [self] in
                forgetObjects(of: removed)
                completion.value()
            }
        }
    }

    /// Removes every store from the stack and closes it, before returning.
    public func unsafeRemoveAllPersistentStoresAndWait() {
        let removed = isInTransaction ? closeAll() : inTransaction { closeAll() }
        if isOnViewQueue {
            forgetObjects(of: removed)
        } else {
            viewQueue.async { [self] in forgetObjects(of: removed) }
        }
    }

    private func closeAll() -> [OpenStore] {
        commitLock.withLock {
            removals.withLock { $0 += 1 }
            let removed = backing.removeAll()
            view.turns.dropSnapshots()
            for store in removed { store.storage.close() }
            return removed
        }
    }

    private func forgetObjects(of stores: [OpenStore]) {
        view.takeOver()
        if !stores.isEmpty { tellStoragesRemoval() }
        _graph.forgetSpaces(of: stores)
        tellStoragesChange()
    }

    private func reporting<Result>(_ body: () throws(CoreStoreError) -> Result) throws(CoreStoreError) -> Result {
        // Held so that two threads cannot add the same storage twice.
        adding.lock()
        defer { adding.unlock() }
        do {
            return try body()
        } catch {
            Diagnostics.log(error, "The storage could not be added.")
            throw error
        }
    }

    private func converting<Result>(_ body: () throws(StorageError) -> Result) throws(CoreStoreError) -> Result {
        do {
            return try body()
        } catch {
            throw CoreStoreError(storage: error)
        }
    }
}

/// Carries a value that is not `Sendable` from one queue to another.
// Sendable: the giver does not use the value after handing it over, as CoreStore's API requires, and one queue receives it.
package struct Handover<Value>: @unchecked Sendable {
    package let value: Value

    package init(_ value: Value) {
        self.value = value
    }
}
