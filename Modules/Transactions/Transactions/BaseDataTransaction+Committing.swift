import CofferSchema
import CofferStorage

/// Runs the closure of a transaction and commits; decides whether the transaction is repeated, and logs failed commits.
extension BaseDataTransaction {
    /// Runs the closure, commits when it returns, and discards all changes when it throws.
    ///
    /// - Parameter repetitions: the number of times that the closure may still be run again.
    /// - Returns: nil if another transaction should run the closure again.
    func run<T>(repetitions: Int, _ task: () throws -> T) -> Result<T, CoreStoreError>? {
        defer { finish() }
        guard !state.isCancelled else { return .failure(.userCancelled) }
        let value: T
        do throws(CoreStoreError) {
            value = try state.run(task)
        } catch {
            return repetitions > 0 && !state.isCancelled && mayRepeat(after: error) ? nil : .failure(error)
        }
        do throws(CoreStoreError) {
            try commit()
            return .success(value)
        } catch {
            if state.isCancelled, !state.commits.hasSavedParts, error.storageError?.code != .unknownOutcome {
                return .failure(.userCancelled)
            }
            if repetitions > 0, mayRepeat(after: error) { return nil }
            Diagnostics.log(error, outcome(of: error))
            return .failure(retryable(error))
        }
    }

    /// Returns a message about the outcome of the commit.
    private func outcome(of error: CoreStoreError) -> String {
        if state.commits.hasSavedParts { return "The transaction was saved in part." }
        return error.storageError?.code == .unknownOutcome
            ? "The outcome of the transaction is unknown. Read the data again before you repeat it."
            : "The transaction could not be saved. Nothing was changed."
    }

    /// Returns the error; a conflict is marked as retryable, because the transaction may succeed the next time.
    private func retryable(_ error: CoreStoreError) -> CoreStoreError {
        guard var conflict = error.storageError, conflict.code == .conflict, !state.commits.hasSavedParts else {
            return error
        }
        conflict.isRetryable = true
        return CoreStoreError(storage: conflict)
    }

    /// Whether nothing was saved, for a reason that may not occur again in the next run.
    private func mayRepeat(after error: CoreStoreError) -> Bool {
        guard !state.commits.hasSavedParts else { return false }
        // A failed read may be the reason why the closure throws its error.
        var errors = state.pending.failures.values.map(\.error)
        errors += [error.storageError, state.failures.first?.error, state.readers.readSet?.failure].compactMap { $0 }
        return errors.contains { error in
            switch error.code {
            case .conflict: true
            case .busy, .unavailable: error.isRetryable
            default: false
            }
        }
    }

    /// Saves the pending changes, and passes the commit to the stack.
    func commit() throws(CoreStoreError) {
        guard let stack else { throw .unknown }
        let completion = completion.take()
        var pipeline = CommitPipeline(state, stack, SourceIdentifier(value: sourceIdentifier), completion)
        do throws(StorageError) {
            turn = try pipeline.run()
            hasCompletedInTurn = turn != nil && completion != nil
        } catch {
            turn = pipeline.partialTurn
            throw CoreStoreError(storage: error)
        }
    }
}
