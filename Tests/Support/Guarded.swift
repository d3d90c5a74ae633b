import Foundation

/// A value that one thread at a time may touch.
///
/// `Synchronization.Mutex` would do, but it needs macOS 15 and iOS 18. Tests without package access cannot see `Locked`.
// Sendable: the value is touched only with the lock held.
public final class Guarded<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    public init(_ value: sending Value) {
        self.value = value
    }

    /// Runs the closure while no other thread touches the value.
    public func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
