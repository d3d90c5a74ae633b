public import CofferSchema

/// The asynchronous transaction of `perform(asynchronous:)` and `async.perform`, with its `cancel()`.
///
/// ```swift
/// try await stack.async.perform { transaction in
///     transaction.create(Into<Person>()).name = "Ann"
/// }
/// ```
///
/// Use the transaction and its objects only inside the closure, on its thread. After the closure, a change is refused:
/// an assertion stops a debug build, and a release build logs an error and changes nothing.
public final class AsynchronousDataTransaction: BaseDataTransaction {
    /// The result of the closure after the commit, or the error of the transaction.
    public typealias Result<UserInfoType> = Swift.Result<UserInfoType, CoreStoreError>

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
