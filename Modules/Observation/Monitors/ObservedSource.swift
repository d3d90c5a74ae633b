import CofferSchema
import CofferTransactions
import Dispatch

/// The source that a monitor observes: a data stack or an unsafe transaction.
struct ObservedSource {
    /// The observed stack, or the stack of the transaction; nil if the stack was deallocated.
    private(set) weak var stack: DataStack?
    private let transaction: UnsafeDataTransaction?

    init(_ source: some MonitorableSource) {
        transaction = source as? UnsafeDataTransaction
        stack = transaction?.dataStack ?? source as? DataStack
    }

    /// The graph of the live objects, up to date; nil if the stack was deallocated.
    var graph: ObjectGraph? { transaction?._graph ?? stack?._graph }

    /// The stack that numbers the commits of the lists; nil for lists of a transaction.
    var numberingStack: DataStack? { transaction == nil ? stack : nil }

    var observers: CommitObservers? { transaction.map { .of($0) } ?? stack.map { .of($0) } }

    /// Runs a closure that begins to observe; for a data stack, on the view queue.
    func observing<O>(_ type: O.Type, _ body: () -> Void) {
        guard transaction == nil else { return body() }
        stack?.observing(type, body)
    }

    /// Runs a closure later on the view queue; for a transaction, which has no queue, at once.
    func later(_ body: @escaping () -> Void) {
        guard transaction == nil, let stack else { return body() }
        let body = UnsafeTransfer(body)
        stack.viewQueue.async { body.value() }
    }
}
