import CofferCLibPQ
import CofferStorage
import Dispatch
import Foundation

/// Cancels the statement that a connection runs, from any thread.
// Sendable: libpq's cancel object never changes, and PQcancel may be called from any thread.
final class PostgreSQLCanceller: @unchecked Sendable {
    private let object: OpaquePointer?
    private let used = Locked(false)
    private let limit: Double

    /// - Parameter limit: the seconds to wait for the server to read the request.
    init(_ connection: OpaquePointer, waitingFor limit: Double) {
        object = PQgetCancel(connection)
        self.limit = limit
    }

    deinit { PQfreeCancel(object) }

    /// Whether the canceller was used; it may then end a later statement than the intended one.
    var wasUsed: Bool { used.withLock { $0 } }

    func cancel() {
        used.withLock { $0 = true }
        guard object != nil else { return }
        let isDone = DispatchSemaphore(value: 0)
        // libpq waits without a limit for a server that does not answer.
        Thread.detachNewThread { [self] in
            var words = [CChar](repeating: 0, count: 256)
            // The result of the statement shows whether the request came too late.
            _ = PQcancel(object, &words, Int32(words.count))
            isDone.signal()
        }
        _ = isDone.wait(timeout: .now() + limit)
    }
}
