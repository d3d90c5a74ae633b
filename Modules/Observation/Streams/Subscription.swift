import CofferSchema
import CofferStorage
import CofferTransactions
import Dispatch

/// The subscription of one loop: passes the newest value to a waiting reader, skips older values, and ends the loop.
///
/// A change only marks the subscription as changed. The value is read when a reader asks for it, so a slow reader skips
/// values and nothing is buffered.
// Sendable: the state has a lock, and the source is used on the view queue only.
final class Subscription<Element: Sendable, Failure: Error>: @unchecked Sendable {
    /// The result of reading a source.
    enum Reading {
        case value(Element)
        /// The last value of the sequence.
        case last(Element)
        /// No value now; a later change may produce a value.
        case nothing
    }

    /// The observed list, object or stack, which is kept until the subscription ends.
    struct Source {
        /// Reads the value, on the view queue.
        let read: () -> Reading
        /// Removes the observer, on any thread.
        let stop: () -> Void
    }

    private struct State {
        var source: Source?
        var reader: CheckedContinuation<Result<Element?, Failure>, Never>?
        var isChanged: Bool
        var isFinished = false
        /// The error that the next call of the reader throws.
        var failure: Failure?
    }

    private let state: Locked<State>
    private let queue: DispatchQueue?
    private weak var stack: DataStack?
    private let table: SubscriptionTable?

    /// Begins to observe on the view queue of a stack: at once if called on this queue, otherwise soon.
    ///
    /// - Parameters:
    ///   - stack: nil if it was deallocated; the sequence is then empty.
    ///   - readsFirst: whether there is a value before the first change.
    ///   - begin: called once on the view queue; must not keep a strong reference to the subscription. Returns nil if
    ///     it has ended the subscription.
    init(_ stack: DataStack?, readsFirst: Bool, begin: @escaping (Subscription, DataStack) -> Source?) {
        state = Locked(State(isChanged: readsFirst, isFinished: stack == nil))
        queue = stack?.viewQueue
        self.stack = stack
        table = stack.map { CommitObservers.of($0).subscriptions }
        guard let stack else { return }
        table?.add(self)
        if stack.isOnViewQueue {
            start(begin)
        } else {
            let begin = UnsafeTransfer(begin)
            stack.viewQueue.async { [weak self] in self?.start(begin.value) }
        }
    }

    deinit { finish() }

    /// Whether the sequence has ended.
    var isFinished: Bool { state.withLock { $0.isFinished } }

    private func start(_ begin: (Subscription, DataStack) -> Source?) {
        guard !isFinished, let stack, let source = begin(self, stack) else { return finish() }
        let isKept = state.withLock { state in
            if !state.isFinished { state.source = source }
            return !state.isFinished
        }
        guard isKept else { return source.stop() }
        table?.beginObserving(self)
        answer()
    }

    // MARK: Reading

    /// Waits for the next value; a cancelled task ends the subscription.
    func next() async -> Result<Element?, Failure> {
        await withTaskCancellationHandler {
            await withCheckedContinuation { wait($0) }
        } onCancel: {
            finish()
        }
    }

    private func wait(_ reader: CheckedContinuation<Result<Element?, Failure>, Never>) {
        let outcome = state.withLock { state -> Result<Element?, Failure>? in
            if let failure = state.failure {
                state.failure = nil
                return .failure(failure)
            }
            if state.isFinished { return .success(nil) }
            guard state.reader == nil else {
                Diagnostics.abort("An iterator of an observed sequence was used by two tasks at once.")
            }
            state.reader = reader
            return nil
        }
        if let outcome { return reader.resume(returning: outcome) }
        if stack?.isOnViewQueue == true { return answer() }
        queue?.async { [weak self] in self?.answer() }
    }

    /// Records a change, on the view queue.
    func change() {
        state.withLock { $0.isChanged = true }
        answer()
    }

    /// Passes an unread value to a waiting reader, on the view queue.
    private func answer() {
        let source = state.withLock { state -> Source? in
            guard let source = state.source, state.isChanged, state.reader != nil else { return nil }
            state.isChanged = false
            return source
        }
        guard let source else { return }
        switch source.read() {
        case .value(let value): takeReader()?.resume(returning: .success(value))
        case .last(let value):
            let reader = takeReader()
            finish()
            reader?.resume(returning: .success(value))
        case .nothing: break
        }
    }

    private func takeReader() -> CheckedContinuation<Result<Element?, Failure>, Never>? {
        state.withLock { state in
            defer { state.reader = nil }
            return state.reader
        }
    }
}

extension Subscription: FinishableSubscription {
    /// Ends the sequence, on any thread.
    func finish() { finish(nil) }

    /// Ends the sequence with an error, which the reader gets once.
    func finish(throwing failure: Failure) { finish(failure) }

    private func finish(_ failure: Failure?) {
        // The source is released without the lock, because its release may deallocate a publisher.
        let (source, reader) = state.withLock {
            state -> (Source?, CheckedContinuation<Result<Element?, Failure>, Never>?) in
            guard !state.isFinished else { return (nil, nil) }
            defer { (state.source, state.reader) = (nil, nil) }
            state.isFinished = true
            if state.reader == nil { state.failure = failure }
            return (state.source, state.reader)
        }
        source?.stop()
        table?.remove(self)
        reader?.resume(returning: failure.map { .failure($0) } ?? .success(nil))
    }
}
