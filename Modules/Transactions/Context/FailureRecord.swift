import CofferSchema
package import CofferStorage

/// Logs the failures of calls that cannot throw, and keeps the first, so that the commit or the read throws it.
package final class FailureRecord: FailureKeeper {
    // Exclusivity is not checked at run time: no access to this property calls other code while it lasts.
    /// The failure that the end of the transaction or read throws.
    @exclusivity(unchecked) var first: KeptFailure?
    private let readers: ReaderPool
    /// Whether the context is a data stack's view, which has no end that could throw.
    private let isView: Bool

    init(_ readers: ReaderPool, isView: Bool) {
        self.readers = readers
        self.isView = isView
    }

    /// Keeps a failure of a call that cannot throw, unless one is kept already.
    package func keep(_ failure: StorageError) { keep(failure, isPartial: false) }

    /// Keeps a failure of a call that cannot throw, unless one is kept already.
    ///
    /// The transaction or read that encloses the call keeps the failure too, even if the objects belong to another
    /// context.
    func keep(_ error: StorageError, isPartial: Bool) {
        if let work = EnclosingWork.current, work.keeper !== self { work.keeper.keep(error) }
        guard !isView else { return }
        if first == nil { first = KeptFailure(error: error) }
        if isPartial { first?.isPartial = true }
    }

    /// Keeps and logs a failure of a call that cannot throw.
    func keep(_ error: StorageError, _ message: String, isPartial: Bool = false) {
        keep(error, isPartial: isPartial)
        // The failures of a cancelled read are expected.
        guard readers.cancellation?.isCancelled != true else { return }
        Diagnostics.log(CoreStoreError(storage: error), message)
    }

    /// Runs a call that cannot throw; logs an error, and returns nil.
    ///
    /// The end of the transaction or read throws the error.
    package func loggingErrors<Output>(_ operation: String, _ body: () throws(StorageError) -> Output?) -> Output? {
        keepingErrors("The \(operation) failed.", body)
    }

    /// Runs a call that cannot throw; keeps an error, logs it with a message, and returns nil.
    @discardableResult
    func keepingErrors<Output>(
        _ message: @autoclosure () -> String, _ body: () throws(StorageError) -> Output?
    ) -> Output? {
        do throws(StorageError) {
            return try body()
        } catch {
            keep(error, message())
            return nil
        }
    }

    /// Throws the kept failure, so that changes after it are not saved.
    func check() throws(StorageError) {
        guard let error = first?.error ?? readers.readSet?.failure else { return }
        first?.isReported = true
        throw error
    }

    /// Discards a failure after a commit has thrown it and all objects were read again.
    ///
    /// A failure that no commit has thrown is kept, because the program does not know of it yet.
    func forgetReported() {
        if first?.isReported == true, first?.isPartial == false { first = nil }
    }
}
