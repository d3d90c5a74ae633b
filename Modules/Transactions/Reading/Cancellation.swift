import CofferStorage
import Dispatch

/// Cancels the running statement of a cancelled transaction or read, and refuses later reads.
final class Cancellation: Sendable {
    // `flag` has a separate lock, because `end` stays locked while a statement is cancelled.
    private let flag = Locked(false)
    private let end = Locked<(@Sendable () -> Void)?>(nil)

    var isCancelled: Bool { flag.withLock { $0 } }

    /// Refuses further statements, and ends the statement that is running on another thread.
    func cancel() {
        flag.withLock { $0 = true }
        // A serial queue of its own, so that one cancellation does not wait for another.
        DispatchQueue(label: "coffer.cancelling").async {
            // The lock is held, so that no other read gets the statement's connection in the meantime.
            self.end.withLock { $0?() }
        }
    }

    /// Runs the body; a cancellation ends its statements on the reader.
    func during<Output>(
        _ reader: any StorageReader, _ body: () throws(StorageError) -> Output
    ) throws(StorageError) -> Output {
        let canceller = try (reader as? any CancellableReader)?.makeCanceller()
        let previous = end.withLock { end in
            defer { end = canceller ?? end }
            return end
        }
        defer { end.withLock { $0 = previous } }
        // The check comes last, because a statement that begins before the flag is set can be ended.
        guard !isCancelled else { throw StorageError(.failed, "The read was cancelled.") }
        return try body()
    }
}
