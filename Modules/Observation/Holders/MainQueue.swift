package import Dispatch
import Foundation

/// Runs closures on the main queue, on which views are shown.
package enum MainQueue {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether the current code runs on the main queue.
    package static var isCurrent: Bool {
        // A program may serve the main queue on another thread than the main one.
        DispatchQueue.getSpecific(key: key) == true || Thread.isMainThread
    }

    /// Whether a queue is the main queue.
    package static func isMain(_ queue: DispatchQueue) -> Bool {
        // On Linux, each use of `DispatchQueue.main` returns another object.
        queue.getSpecific(key: key) == true
    }

    /// Runs the closure on the main queue; at once if the current code runs on this queue.
    package static func run(_ body: @escaping @MainActor @Sendable () -> Void) {
        if isCurrent { MainActor.assumeIsolated(body) } else { DispatchQueue.main.async(execute: body) }
    }
}
