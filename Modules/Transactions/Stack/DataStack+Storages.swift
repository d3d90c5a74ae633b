public import CofferSchema
public import CofferStorage
import CofferStorageTools
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
            if stores.stores.contains(where: { $0.storage === storage }) { return storage }
            return try CoreStoreError.converting { () throws(StorageError) in
                try StorageOpener(self).open(storage)
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
            let opener = StorageOpener(self)
            if let known = try opener.known(storage) { return known }
            try opener.openResolving(storage)
            return storage
        }
    }

    /// Whether objects may be in more than one store.
    package var hasSeveralStores: Bool { stores.stores.count > 1 }

    /// Removes every store from the stack and closes it.
    ///
    /// What is in files stays there.
    ///
    /// The stack's objects keep the values they have and become useless otherwise.
    ///
    /// - Parameter completion: called on the view queue.
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
