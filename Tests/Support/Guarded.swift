import Foundation

/// A value that only one thread at a time can access.
///
/// `Synchronization.Mutex` requires macOS 15 and iOS 18, and tests without package access cannot use `Locked`.
// Sendable: every access to the value holds the lock.
public final class Guarded<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    public init(_ value: sending Value) {
        self.value = value
    }

    /// Runs the closure while no other thread can access the value.
    public func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
