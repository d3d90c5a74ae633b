public import CofferSchema
public import CofferStorage
import CofferStorageTools
import Foundation

extension DataStack {
    /// Opens a store, creates it if it does not exist, and adds it to the stack.
    ///
    /// ```swift
    /// try stack.addStorageAndWait(InMemoryStore())
    /// ```
    ///
    /// If the same store was added before, the call returns it. A store in a file is added as the form for a
    /// ``LocalStorage`` adds it. This call does not migrate other stores; use `addStorage(_:completion:)` for a store
    /// whose data have an older version.
    ///
    /// - Throws: ``CoreStoreError``, which is also logged, and the stack stays as it is. For `internalError`,
    ///   ``CoreStoreError/storageError`` has the store's error, such as `schemaMismatch` or `unavailable`.
    @discardableResult
    public func addStorageAndWait<T: StorageInterface>(_ storage: T) throws(CoreStoreError) -> T {
        func added(_ local: some LocalStorage) throws(CoreStoreError) -> T? { try addStorageAndWait(local) as? T }
        if let local = storage as? any LocalStorage, let added = try added(local) { return added }
        return try reporting { () throws(CoreStoreError) in
            if stores.stores.contains(where: { $0.storage === storage }) { return storage }
            return try CoreStoreError.converting { () throws(StorageError) in
                try StorageOpener(self).open(storage)
                return storage
            }
        }
    }

    /// Opens a store in a file, creates the file and its directory if they do not exist, and adds the store to the
    /// stack.
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
        try reporting { () throws(CoreStoreError) in
            let opener = StorageOpener(self)
            if let known = try opener.known(storage) { return known }
            try opener.openResolving(storage)
            return storage
        }
    }

    /// Whether objects may be in more than one store.
    package var hasSeveralStores: Bool { stores.stores.count > 1 }

    /// Removes all stores from the stack and closes them, without waiting.
    ///
    /// ```swift
    /// stack.unsafeRemoveAllPersistentStores { print("closed") }
    /// ```
    ///
    /// Files and databases keep their data. The stack's objects keep their last values. Their relationships are empty,
    /// and a fetch throws `persistentStoreNotFound` until the program adds a store again.
    ///
    /// - Parameter completion: called on the view queue after the stores were closed.
    public func unsafeRemoveAllPersistentStores(completion: @escaping () -> Void = {}) {
        let completion = UnsafeTransfer(completion)
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

    /// Removes all stores from the stack and closes them before it returns.
    ///
    /// ```swift
    /// stack.unsafeRemoveAllPersistentStoresAndWait()
    /// ```
    ///
    /// Files and databases keep their data. The stack's objects keep their last values. A fetch throws
    /// `persistentStoreNotFound` until the program adds a store again.
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
            let removed = stores.removeAll()
            view.turns.dropSnapshots()
            for store in removed { store.storage.close() }
            return removed
        }
    }

    private func forgetObjects(of stores: [OpenStore]) {
        view.takeOver()
        if !stores.isEmpty { tellStoragesRemoval() }
        _graph.state.identities.forget(stores)
        tellStoragesChange()
    }

    private func reporting<Output>(_ body: () throws(CoreStoreError) -> Output) throws(CoreStoreError) -> Output {
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
}
