import CofferStorage
import Dispatch
import Foundation

/// Detects whether the current code runs on a serial queue, or on a thread that holds this queue.
///
/// A thread holds its queue while it waits for the work of another queue.
///
/// Stacks that share a view queue share its holder.
final class QueueOwnership: Sendable {
    private static let key = DispatchSpecificKey<QueueOwnership>()
    private static let making = NSLock()

    private let thread = Locked<ObjectIdentifier?>(nil)
    private let isMain: Bool

    private init(isMain: Bool) { self.isMain = isMain }

    /// The holder of a queue.
    static func of(_ queue: DispatchQueue) -> QueueOwnership {
        making.withLock {
            if let known = queue.getSpecific(key: key) { return known }
            let made = QueueOwnership(isMain: queue === DispatchQueue.main)
            queue.setSpecific(key: key, value: made)
            return made
        }
    }

    var isCurrent: Bool {
        if DispatchQueue.getSpecific(key: Self.key) === self { return true }
        // The main thread holds the main queue also while it waits for another queue.
        if isMain, Thread.isMainThread { return true }
        return thread.withLock { $0.map { $0 == ObjectIdentifier(Thread.current) } ?? false }
    }

    /// Runs the closure; the queue stays the current thread's, whatever other queues the closure waits for.
    func holding<Output>(_ body: () throws -> Output) rethrows -> Output {
        let previous = thread.withLock { thread in
            defer { thread = ObjectIdentifier(Thread.current) }
            return thread
        }
        defer { thread.withLock { $0 = previous } }
        return try body()
    }
}
