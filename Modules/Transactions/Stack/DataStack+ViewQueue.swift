import CofferStorage
import Dispatch

/// Runs a closure on the view queue for a waiting thread, which waits at most two seconds.
extension DataStack: ViewQueueOwner {
    /// The maximum number of seconds that a thread waits for an answer of the view queue.
    private static let answerTimeLimit: Double = 2

    /// Runs the closure on the view queue, and waits for it.
    ///
    /// If the view queue waits for the current thread, or no thread serves it, the call gives up.
    ///
    /// - Returns: the result; nil if the closure was not run, inside a transaction or because the view queue did not
    ///   answer in time.
    package func onViewQueue<Output, Failure: Error>(
        _ body: () throws(Failure) -> Output
    ) throws(Failure) -> Output? {
        if isOnViewQueue { return try body() }
        guard !isInTransaction else { return nil }
        let outcome = withoutActuallyEscaping(body) { body in
            let errand = Errand { Result { () throws(Failure) in try body() } }
            viewQueue.async { errand.run() }
            return errand.result(within: Self.answerTimeLimit)
        }
        return try outcome?.get()
    }
}

/// A closure that another queue runs for a waiting thread; the thread may cancel it before it begins.
// Sendable: the waiting thread does not access a closure that has begun, and reads the result after the closure ends.
private final class Errand<Output>: @unchecked Sendable {
    private var body: (() -> Output)?
    private let hasBegun = Locked(false)
    private let done = DispatchSemaphore(value: 0)
    private var outcome: Output?

    init(_ body: @escaping () -> Output) { self.body = body }

    private func begin() -> Bool {
        hasBegun.withLock { hasBegun in
            defer { hasBegun = true }
            return !hasBegun
        }
    }

    func run() {
        guard begin() else { return }
        outcome = body?()
        // The closure must not outlive the call that waits.
        body = nil
        done.signal()
    }

    func result(within seconds: Double) -> Output? {
        if done.wait(timeout: .now() + seconds) == .timedOut {
            if begin() {
                body = nil
                return nil
            }
            done.wait()
        }
        return outcome
    }
}
