import CofferSchema
package import CofferStorage

/// The first failure of a call that could not throw.
///
/// The end of the transaction or read throws it.
struct KeptFailure {
    let error: StorageError
    /// Whether a change was made in part, which only a rollback puts right.
    var isPartial = false
    /// Whether a commit has thrown it.
    var isReported = false
}

extension ObjectGraph: FailureKeeper {
    /// Whether the graph is a data stack's view, which has no end that could throw.
    private var isView: Bool { !isEditable && !keepsReaders }

    package func keep(_ failure: StorageError) { keep(failure, isPartial: false) }

    /// Keeps a failure of a call that cannot throw, unless one is kept already.
    ///
    /// The transaction or read around the call keeps it too, whichever graph's objects it asked.
    func keep(_ error: StorageError, isPartial: Bool) {
        if let work = EnclosingWork.current, work.keeper !== self { work.keeper.keep(error) }
        guard !isView else { return }
        if kept == nil { kept = KeptFailure(error: error) }
        if isPartial { kept?.isPartial = true }
    }

    /// Keeps and logs a failure of a call that cannot throw.
    func keep(_ error: StorageError, _ message: String, isPartial: Bool = false) {
        keep(error, isPartial: isPartial)
        // Whoever cancelled a read wants to hear nothing of it.
        guard cancellation?.isCancelled != true else { return }
        Diagnostics.log(CoreStoreError(storage: error), message)
    }

    /// Throws what is kept: nothing that was done after it may be saved.
    func checkKeptFailure() throws(StorageError) {
        guard let error = kept?.error ?? readLog?.failure else { return }
        kept?.isReported = true
        throw error
    }

    /// Forgets a failure once a commit has thrown it and all objects were read again.
    ///
    /// One that no commit has thrown is kept, since nobody knows of it yet.
    func forgetReportedFailure() {
        if kept?.isReported == true, kept?.isPartial == false { kept = nil }
    }
}
