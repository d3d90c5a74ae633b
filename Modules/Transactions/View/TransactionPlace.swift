import Foundation

/// The place of the view queue in the queue of transactions; it is lost if it stays unused for five seconds.
// Sendable: the state is touched only with the condition's lock held.
final class TransactionPlace: @unchecked Sendable {
    enum State {
        case queued
        /// No other transaction runs, and none will before this one.
        case free
        /// The transaction runs.
        case taken
        /// The transaction is over.
        case left
        /// The view queue did not use the place in time; other transactions continue, and the view queue waits again.
        case lost
    }

    /// The seconds for which a free place waits for the view queue.
    ///
    /// The view queue may be busy with work that waits for another transaction.
    private static let timeLimit = 5.0

    private let condition: NSCondition
    var state = State.queued
    private var deadline = Date.distantFuture

    /// - Parameter condition: the condition on which the view queue waits.
    init(_ condition: NSCondition) { self.condition = condition }

    /// Blocks the queue of transactions until the view queue has run its transaction, or has lost the place.
    func hold() {
        condition.lock()
        defer { condition.unlock() }
        free()
        while true {
            switch state {
            case .left, .lost: return
            case .queued, .taken: condition.wait()
            case .free:
                guard Date() >= deadline else {
                    _ = condition.wait(until: deadline)
                    continue
                }
                state = .lost
                condition.broadcast()
            }
        }
    }

    private func free() {
        state = .free
        deadline = Date(timeIntervalSinceNow: Self.timeLimit)
        condition.broadcast()
    }

    /// Ends a transaction.
    ///
    /// - Parameter isLast: whether no outer call waits for the same place.
    func leave(isLast: Bool) {
        condition.lock()
        defer { condition.unlock() }
        guard isLast else { return free() }
        state = .left
        condition.broadcast()
    }
}
