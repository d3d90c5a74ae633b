import CofferStorage
import Foundation

/// Removes and closes all storages of a data stack: `unsafeRemoveAllPersistentStores`.
extension DataStack {
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
}
