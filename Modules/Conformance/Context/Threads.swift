import CofferStorage
import Dispatch
import Foundation

/// Runs a closure on several threads at once.
enum Threads {
    /// - Parameter seconds: the time limit, which is long enough for a busy machine.
    /// - Throws: the first error of any thread, or a failure if a thread has not finished in time.
    static func run(
        _ count: Int, within seconds: Int, what: String, _ body: @escaping @Sendable (Int) throws -> Void
    ) throws {
        let failure = Locked<(any Error)?>(nil)
        let group = DispatchGroup()
        for number in 0..<count {
            group.enter()
            let thread = Thread {
                do { try body(number) } catch { failure.withLock { $0 = $0 ?? error } }
                group.leave()
            }
            thread.stackSize = 8 << 20
            thread.start()
        }
        let result = group.wait(timeout: .now() + .seconds(seconds))
        if let error = failure.withLock(\.self) { throw error }
        guard result == .success else {
            throw Mismatch("  expected: \(what) to finish\n  found:    still waiting after \(seconds) s")
        }
    }
}
