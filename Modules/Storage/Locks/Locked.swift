import Foundation

/// A value behind a lock, which only one thread at a time can use.
///
/// `Synchronization.Mutex` would be sufficient. On Linux, however, Thread Sanitizer does not see how a mutex passes
/// from one thread to the next, and reports races that do not exist. It sees `NSLock`.
// Sendable: every access to the value holds the lock.
package final class Locked<Value>: @unchecked Sendable {
    private let lock = NSLock()
    // Exclusivity is not checked at run time, because the lock ensures it.
    @exclusivity(unchecked) private var value: Value

    package init(_ value: sending Value) { self.value = value }

    /// Runs the closure while no other thread uses the value.
    ///
    /// The closure must not acquire the same lock again.
    package func withLock<Result, Failure>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
