import CofferSchema
import CofferStorage
import Foundation

extension BaseDataTransaction {
    /// Runs the closure, saves when it returns, and discards everything when it throws.
    ///
    /// - Parameter repetitions: how often the closure may still be run again.
    /// - Returns: nil when it should be run again, by another transaction.
    func run<T>(repetitions: Int, _ task: () throws -> T) -> Result<T, CoreStoreError>? {
        defer { finish() }
        guard !isCancelled else { return .failure(.userCancelled) }
        let value: T
        do {
            value = try EnclosingWork(_graph).during(task)
            guard !isCancelled else { return .failure(.userCancelled) }
        } catch _ where isCancelled {
            return .failure(.userCancelled)
        } catch let error as CoreStoreError {
            return repetitions > 0 && mayRepeat(after: error) ? nil : .failure(error)
        } catch {
            return repetitions > 0 && mayRepeat(after: nil) ? nil : .failure(.userError(error: error))
        }
        do throws(CoreStoreError) {
            try commit()
            return .success(value)
        } catch {
            if isCancelled, !_graph.hasSavedParts, error.storageError?.code != .unknownOutcome {
                return .failure(.userCancelled)
            }
            if repetitions > 0, mayRepeat(after: error) { return nil }
            Diagnostics.log(error, outcome(of: error))
            return .failure(retryable(error))
        }
    }

    /// What became of the changes.
    private func outcome(of error: CoreStoreError) -> String {
        if _graph.hasSavedParts { return "The transaction was saved in part." }
        return error.storageError?.code == .unknownOutcome
            ? "The outcome of the transaction is unknown. Read the data again before you repeat it."
            : "The transaction could not be saved. Nothing was changed."
    }

    /// The error, which says of a conflict that the transaction may succeed when it is performed again.
    private func retryable(_ error: CoreStoreError) -> CoreStoreError {
        guard var conflict = error.storageError, conflict.code == .conflict, !_graph.hasSavedParts else { return error }
        conflict.isRetryable = true
        return CoreStoreError(storage: conflict)
    }

    private var isCancelled: Bool { _graph.cancellation?.isCancelled == true }

    /// Whether nothing was saved for a reason that may be gone when the closure is run again.
    private func mayRepeat(after error: CoreStoreError?) -> Bool {
        guard !_graph.hasSavedParts else { return false }
        // What failed to be read may be why the closure throws what it does.
        var errors = _graph.pending.failures.values.map(\.error)
        errors += [error?.storageError, _graph.kept?.error, _graph.readLog?.failure].compactMap { $0 }
        return errors.contains { error in
            switch error.code {
            case .conflict: true
            case .busy, .unavailable: error.isRetryable
            default: false
            }
        }
    }

    /// Saves what is pending and tells the stack.
    func commit() throws(CoreStoreError) {
        guard let stack else { throw .unknown }
        do throws(StorageError) {
            let completion = completion.take()
            turn = try stack.commit(_graph, SourceIdentifier(value: sourceIdentifier), completion) { turn = $0 }
            hasCompletedInTurn = turn != nil && completion != nil
        } catch {
            throw CoreStoreError(storage: error)
        }
    }
}

extension OpenStore {
    /// Commits; the conflicts of an error are given the ids of their objects.
    fileprivate func commit(_ changes: ChangeSet) throws(StorageError) -> CommitResult {
        do throws(StorageError) {
            return try storage.commit(changes)
        } catch {
            var error = error
            for index in error.conflicts.indices {
                let space = keySpaces[error.conflicts[index].root]
                error.conflicts[index].id = ObjectID(storage: space, key: error.conflicts[index].key)
            }
            throw error
        }
    }
}

extension StorageError {
    /// The error of a commit that other stores have made their parts of: repeating the transaction would repeat these.
    fileprivate func afterSaving(_ stores: [OpenStore]) -> StorageError {
        var error = self
        error.isRetryable = false
        let names = stores.map(\.storage.storeDescription).joined(separator: ", ")
        error.message += " The part of \(names) was saved before: do not repeat that."
        return error
    }
}

extension DataStack {
    /// Hands what is pending to the stores.
    ///
    /// Each store saves all of its part or nothing; when one fails, those after it are not asked, and what the ones
    /// before it saved is no longer pending.
    ///
    /// - Parameters:
    ///   - completion: what follows the turn in which the view takes the commit over, when all is saved.
    ///   - partialTurn: called with that turn when only some of the stores saved their parts.
    /// - Returns: the turn; nil where there is nothing for the view to take over.
    func commit(
        _ graph: ObjectGraph, _ source: SourceIdentifier, _ completion: TurnCompletion? = nil,
        partialTurn: (Int?) -> Void = { _ in }
    ) throws(StorageError) -> Int? {
        try graph.checkKeptFailure()
        if completion != nil, !isOnViewQueue { waitForRoom() }
        commitLock.lock()
        defer { commitLock.unlock() }
        let before = try graph.reconcile()
        if before != nil { graph.onReconcile?() }
        var changes: [StoreChanges] = []
        do throws(StorageError) {
            changes = try graph.makeChanges()
            for index in changes.indices {
                if graph.mayHaveLostTargets(changes[index].store) { try graph.checkTargets(of: &changes[index]) }
                graph.addConditions(to: &changes[index])
                graph.addPolicies(to: &changes[index])
            }
        } catch {
            graph.goBack(to: before)
            throw error
        }
        // What others saved meanwhile may be in any relationship that was looked at.
        let isMerged = graph.hasMergedOrders || graph.stores.contains(where: graph.isOvertaken)
        graph.hasMergedOrders = false
        // A reader of ours must not keep the stores from folding their logs.
        graph.releaseReaders()
        guard !changes.isEmpty else {
            graph.didCommit([])
            if isMerged, !graph.keepsReaders { graph.forgetRelatedKeys() }
            return nil
        }
        let stores = changes.map(\.store)
        beginTurn(stores, completion)
        var record = CommitRecord(sourceIdentifier: source)
        do {
            for part in changes {
                let result = try part.store.named("save") { () throws(StorageError) in
                    try part.store.commit(part.set)
                }
                graph.noteCommit(part.store)
                record.stores.append(graph.record(part, result))
                if let last = record.stores.last { relationLogs.add(last, of: graph) }
            }
        } catch {
            graph.hasSavedParts = !record.isEmpty
            if record.isEmpty {
                graph.goBack(to: before)
            } else {
                let saved = record.stores.map(\.store)
                graph.didCommit(record.stores, in: saved)
                graph.goBack(to: before, without: saved)
            }
            partialTurn(endTurn(stores, record, completion?.isRequired == true ? nil : completion))
            throw record.isEmpty ? error : error.afterSaving(record.stores.map(\.store))
        }
        graph.didCommit(record.stores)
        if isMerged, !graph.keepsReaders { graph.forgetRelatedKeys() }
        return endTurn(stores, record, completion)
    }
}
