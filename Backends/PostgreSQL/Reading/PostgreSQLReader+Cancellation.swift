import CofferStorage

/// Cancels the current statement of a reader from another thread.
extension PostgreSQLReader {
    func makeCanceller() throws(StorageError) -> @Sendable () -> Void {
        let running = try active().canceller
        canceller.withLock { $0 = running }
        return { [canceller] in canceller.withLock { $0?.cancel() } }
    }
}
