import CofferSchema
import CofferTransactions
import Dispatch

/// The source that a monitor observes: a data stack or an unsafe transaction.
struct ObservedSource {
    /// Nil when the transaction it was begun in has none any more.
    private(set) weak var stack: DataStack?
    private let transaction: UnsafeDataTransaction?

    init(_ source: some MonitorableSource) {
        transaction = source as? UnsafeDataTransaction
        stack = transaction?.dataStack ?? source as? DataStack
    }

    /// The live objects, up to date; nil when the stack is gone.
    var graph: ObjectGraph? { transaction?._graph ?? stack?._graph }

    /// The stack whose commits the lists follow by number; nil for lists of a transaction.
    var numberingStack: DataStack? { transaction == nil ? stack : nil }

    var observers: CommitObservers? { transaction.map { .of($0) } ?? stack.map { .of($0) } }

    /// Runs a closure that begins to observe, where that may be done.
    func observing<O>(_ type: O.Type, _ body: () -> Void) {
        guard transaction == nil else { return body() }
        stack?.observing(type, body)
    }

    /// Runs the closure later: a stack's on its view queue, a transaction's at once, since it has no queue.
    func later(_ body: @escaping () -> Void) {
        guard transaction == nil, let stack else { return body() }
        let body = UnsafeTransfer(body)
        stack.viewQueue.async { body.value() }
    }
}
