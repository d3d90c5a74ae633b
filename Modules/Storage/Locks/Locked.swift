import Foundation

/// A value behind a lock, which only one thread at a time can use.
///
/// `Synchronization.Mutex` would do, but Thread Sanitizer does not see on Linux how it passes from one thread to the
/// next, and reports races where there are none. It sees this one.
// Sendable: the value is touched only with the lock held.
package final class Locked<Value>: @unchecked Sendable {
    private let lock = NSLock()
    // Exclusivity is not checked at run time: the lock sees to it.
    @exclusivity(unchecked) private var value: Value

    package init(_ value: sending Value) { self.value = value }

    /// Runs the closure while no other thread touches the value.
    ///
    /// The closure must not come back for the same lock.
    package func withLock<Result, Failure>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
