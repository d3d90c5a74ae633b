import CofferSchema
import CofferTransactions

/// Begins an observation on the view queue, and logs a warning if the view queue does not answer.
extension DataStack {
    /// Runs a closure that begins to observe on the view queue, and waits for it.
    ///
    /// Elsewhere it is a mistake to observe, which is answered where the view queue comes in time.
    ///
    /// - Returns: false when it did not.
    func observing<O>(_ type: O.Type, _ body: () -> Void) -> Bool {
        if _graph.mayObserve(type) {
            body()
            return true
        }
        if onViewQueue(body) != nil { return true }
        Diagnostics.log(
            .warning,
            "'\(type)' is not observed: a transaction of the stack runs on this thread, or the view queue did not answer in "
                + "time. Observe it on the view queue.")
        return false
    }
}
