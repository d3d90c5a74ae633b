/// A reader whose statements can be ended from another thread.
///
/// Readers of stores that answer from their own process need not be one.
public protocol CancellableReader: StorageReader {
    /// What ends the statement that the reader is running; the statement throws then, and the snapshot is lost.
    ///
    /// Called from any thread, also when no statement is running.
    func makeCanceller() throws(StorageError) -> @Sendable () -> Void
}
