public import CofferSchema

/// The synchronous transaction of `perform(synchronous:)`, with its `cancel()`.
///
/// ```swift
/// try stack.perform(synchronous: { transaction in
///     transaction.create(Into<Person>()).name = "Ann"
/// })
/// ```
///
/// Use the transaction and its objects only inside the closure, on its thread. After the closure, a change is refused:
/// an assertion stops a debug build, and a release build logs an error and changes nothing.
public final class SynchronousDataTransaction: BaseDataTransaction {
    /// Ends the transaction without saving, with the error ``CoreStoreError/userCancelled``.
    ///
    /// ```swift
    /// guard try transaction.fetchCount(From<Person>()) > 0 else { try transaction.cancel() }
    /// ```
    ///
    /// The call always throws. If the closure catches the error and returns, the transaction is saved.
    public func cancel() throws(CoreStoreError) -> Never {
        throw .userCancelled
    }
}
