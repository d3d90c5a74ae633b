import CofferSchema
import CofferTransactions

/// Begins an observation on the view queue, and logs a warning if the view queue does not answer.
extension DataStack {
    /// Runs a closure that begins to observe on the view queue, and waits for the closure.
    ///
    /// A call on another queue is a mistake of the program. The closure still runs if the view queue answers in time;
    /// otherwise, the closure is not called.
    func observing<O>(_ type: O.Type, _ body: () -> Void) {
        if _graph.mayObserve(type) { return body() }
        guard onViewQueue(body) == nil else { return }
        Diagnostics.log(
            .warning,
            "'\(type)' is not observed: a transaction of the stack runs on this thread, or the view queue did not answer in "
                + "time. Observe it on the view queue.")
    }
}
