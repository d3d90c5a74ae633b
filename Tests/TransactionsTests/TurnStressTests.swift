import Coffer
import CofferStorage
import Foundation
import TestSupport
import Testing

/// Many threads commit while the view queue reads; all reads in one turn see the state after one commit.
struct TurnStressTests {
    private static let threads = 3
    private static let commitsPerThread = 120

    @Test(.pins("TX-30"), arguments: TestBackend.allCases)
    func `every read of a turn shows the state after the turn's commit`(_ backend: TestBackend) async throws {
        let queue = DispatchQueue(label: "view")
        let test = try Journal.stack(backend, viewQueue: queue)
        let stack = test.stack
        let told = Locked(0)
        let problems = Locked<[String]>([])
        @Sendable func check(_ label: String, _ holding: Journal? = nil) {
            let expected = told.withLock { $0 }
            let view = JournalView(stack, holding: holding)
            if view.number != expected {
                problems.withLock { $0.append("\(label): \(view.numbers) after commit \(expected)") }
            }
        }
        let first = stack.lastCommit
        stack.onCommit { record in
            let number = told.withLock { told in
                told += 1
                return told
            }
            if number != record.number - first {
                problems.withLock { $0.append("commit \(record.number - first) was reported as number \(number)") }
            }
            check("observer")
        }
        let held = UnsafeTransfer(queue.sync { try? stack.fetchOne(From<Journal>()) })
        let committing = DispatchGroup()
        for thread in 0..<Self.threads {
            committing.enter()
            Thread.detachNewThread {
                for commit in 0..<Self.commitsPerThread {
                    switch (thread + commit) % 3 {
                    case 0:
                        _ = try? stack.perform(synchronous: { try Journal.append(in: $0) })
                    case 1:
                        committing.enter()
                        stack.perform(asynchronous: { try Journal.append(in: $0) }) { result in
                            let number = (try? result.get()) ?? -1
                            if told.withLock({ $0 }) != number {
                                problems.withLock { $0.append("completion \(number) in another turn") }
                            }
                            check("completion")
                            committing.leave()
                        }
                    default:
                        committing.enter()
                        stack.viewQueue.async {
                            check("turn", held.value)
                            check("the same turn", held.value)
                            committing.leave()
                        }
                        if commit % 2 == 0 {
                            queue.sync {
                                check("before a transaction of the view queue", held.value)
                                _ = try? stack.perform(synchronous: { try Journal.append(in: $0) })
                                check("after a transaction of the view queue", held.value)
                            }
                        }
                    }
                }
                committing.leave()
            }
        }
        await withCheckedContinuation { continuation in committing.notify(queue: queue) { continuation.resume() } }
        queue.sync { check("the end", held.value) }
        #expect(problems.withLock { Array($0.prefix(5)) } == [])
        #expect(told.withLock { $0 } >= Self.threads * Self.commitsPerThread * 2 / 3)
        queue.sync {}
    }
}
