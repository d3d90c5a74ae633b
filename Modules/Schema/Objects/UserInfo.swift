import Foundation

// Sendable: the dictionary is guarded by the lock.
/// A thread-safe dictionary for whatever a program wants to keep with a data stack or a transaction.
///
/// Keys are addresses of the program's own static variables.
public final class UserInfo: @unchecked Sendable {
    private let lock = NSRecursiveLock()
    private var values: [UnsafeRawPointer: Any] = [:]

    package init() {}

    /// The value of a key.
    public subscript(key: UnsafeRawPointer) -> Any? {
        get { lock.withLock { values[key] } }
        set { lock.withLock { values[key] = newValue } }
    }

    /// The value of a key, made by the closure when there is none.
    ///
    /// The closure runs once, while others wait.
    public subscript(key: UnsafeRawPointer, lazyInit closure: () -> Any) -> Any {
        lock.withLock {
            if let value = values[key] { return value }
            let value = closure()
            values[key] = value
            return value
        }
    }
}
