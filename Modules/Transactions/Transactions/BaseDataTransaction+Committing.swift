import CofferSchema
import CofferStorage
import Foundation

extension BaseDataTransaction {
    /// Runs the closure, saves when it returns, and discards everything when it throws.
    func run<T>(_ task: () throws -> T) -> Result<T, CoreStoreError> {
        defer { finish() }
        let value: T
        do {
            value = try task()
        } catch let error as CoreStoreError {
            return .failure(error)
        } catch {
            return .failure(.userError(error: error))
        }
        do throws(CoreStoreError) {
            try commit()
            return .success(value)
        } catch {
            Diagnostics.log(error, "The transaction could not be saved. Nothing was changed.")
            return .failure(error)
        }
    }

    /// Saves what is pending and tells the stack.
    func commit() throws(CoreStoreError) {
        guard let stack else { throw .unknown }
        do throws(StorageError) {
            try stack.commit(_graph, SourceIdentifier(value: sourceIdentifier))
        } catch {
            throw CoreStoreError(storage: error)
        }
    }
}

extension DataStack {
    /// Hands what is pending to the stores.
    ///
    /// Each store saves all of its part or nothing; when one fails, those after it are not asked, and what the ones
    /// before it saved is no longer pending.
    func commit(_ graph: ObjectGraph, _ source: SourceIdentifier) throws(StorageError) {
        commitLock.lock()
        defer { commitLock.unlock() }
        try graph.reconcile()
        var changes = try graph.makeChanges()
        for index in changes.indices where graph.isOvertaken(changes[index].store) {
            try graph.checkTargets(of: &changes[index])
        }
        // A reader of ours must not keep the stores from folding their logs.
        graph.releaseReaders()
        guard !changes.isEmpty else { return graph.didCommit([]) }
        var record = CommitRecord(sourceIdentifier: source)
        defer { if !record.isEmpty { enqueue(record) } }
        do {
            for part in changes {
                let result = try part.store.named("save") { () throws(StorageError) in
                    try part.store.storage.commit(part.set)
                }
                graph.noteCommit(part.store)
                record.stores.append(graph.record(part, result))
            }
        } catch {
            if !record.isEmpty { graph.didCommit(record.stores, in: record.stores.map(\.store)) }
            throw error
        }
        graph.didCommit(record.stores)
    }
}
