import CofferCCursor
package import CofferStorage

/// Keeps the first failure of calls that cannot throw, for the transaction or read that encloses the calls.
///
/// The keeper throws the failure at its end.
package protocol FailureKeeper: AnyObject {
    /// Keeps a failure, unless one is kept already.
    func keep(_ failure: StorageError)
}

/// The transaction or background read whose closure runs on the current thread.
package final class EnclosingWork {
    /// Keeps the failures of the calls in the closure.
    package let keeper: any FailureKeeper

    package init(_ keeper: any FailureKeeper) { self.keeper = keeper }

    /// The innermost transaction or read; nil outside of transactions and reads.
    package static var current: EnclosingWork? {
        coffer_enclosing_get().map { Unmanaged<EnclosingWork>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Runs the closure; in the meantime, ``current`` is this object.
    package func during<Result>(_ body: () throws -> Result) rethrows -> Result {
        let outer = coffer_enclosing_get()
        coffer_enclosing_set(Unmanaged.passUnretained(self).toOpaque())
        defer { withExtendedLifetime(self) { coffer_enclosing_set(outer) } }
        return try body()
    }
}
