import Foundation

// Sendable: the dictionary is guarded by the lock.
/// A thread-safe dictionary for values that a program keeps with a data stack or a transaction.
///
/// The keys are the addresses of static variables of the program.
public final class UserInfo: @unchecked Sendable {
    private let lock = NSRecursiveLock()
    private var values: [UnsafeRawPointer: Any] = [:]

    package init() {}

    /// The value of a key.
    public subscript(key: UnsafeRawPointer) -> Any? {
        get { lock.withLock { values[key] } }
        set { lock.withLock { values[key] = newValue } }
    }

    /// The value of a key; if there is none, the closure creates the value.
    ///
    /// The closure runs once, and other threads wait for it.
    public subscript(key: UnsafeRawPointer, lazyInit closure: () -> Any) -> Any {
        lock.withLock {
            if let value = values[key] { return value }
            let value = closure()
            values[key] = value
            return value
        }
    }
}
