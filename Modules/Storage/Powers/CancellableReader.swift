/// A reader whose current statement another thread can cancel.
///
/// If a store answers requests in its own process, its readers need not conform to this protocol.
public protocol CancellableReader: StorageReader {
    /// Returns a closure that ends the current statement of the reader.
    ///
    /// The statement then throws an error, and the snapshot is lost.
    ///
    /// Any thread may call the closure, even if no statement is running.
    func makeCanceller() throws(StorageError) -> @Sendable () -> Void
}
