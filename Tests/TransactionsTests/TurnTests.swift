import Coffer
import CofferStorage
import Foundation
import TestSupport
import Testing

/// Turns of the view queue: each turn applies one commit, and no value changes inside a turn.
@MainActor
struct TurnTests {
    @Test(.pins("TX-02"), arguments: TestBackend.allCases)
    func `each of several queued transactions shows its own commit in its completion`(
        _ backend: TestBackend
    ) async throws {
        let test = try TestStack(backend, Journal.schema)
        let stack = test.stack
        let seen = Locked<[String]>([])
        @Sendable func look(_ label: String) {
            MainActor.assumeIsolated {
                let all = (try? stack.fetchAll(From<Journal>()).map(\.text)) ?? ["error"]
                let count = (try? stack.fetchCount(From<Journal>())) ?? -1
                seen.withLock { $0.append("\(label) \(all) \(count)") }
            }
        }
        stack.perform(
            asynchronous: { $0.create(Into<Journal>()).text = "new" },
            success: { _ in look("created") }, failure: { _ in look("failed") })
        stack.perform(
            asynchronous: { try $0.fetchOne(From<Journal>())?.text = "changed" },
            success: { _ in look("updated") }, failure: { _ in look("failed") })
        stack.perform(
            asynchronous: { _ in throw Refusal() }, success: { look("succeeded") }, failure: { _ in look("refused") })
        stack.perform(
            asynchronous: { try $0.deleteAll(From<Journal>()) },
            success: { _ in look("deleted") }, failure: { _ in look("failed") })
        stack.perform(asynchronous: { _ in }, success: { look("nothing") }, failure: { _ in look("failed") })
        stack.waitForWriter()
        #expect(seen.withLock { $0 } == [])
        await stack.viewQueue.drained()
        #expect(
            seen.withLock { $0 } == [
                #"created ["new"] 1"#, #"updated ["changed"] 1"#, #"refused ["changed"] 1"#, "deleted [] 0",
                "nothing [] 0",
            ])
    }

    @Test(.pins("TX-30"), arguments: TestBackend.allCases)
    func `live objects and fetches of a stack do not change within a turn`(_ backend: TestBackend) async throws {
        let test = try Journal.stack(backend)
        let stack = test.stack
        let journal = try #require(try stack.fetchOne(From<Journal>()))
        let told = Locked<[Int]>([])
        stack.onCommit { record in told.withLock { $0.append(record.number) } }
        #expect(journal.entries.isEmpty)
        for commit in 1...3 {
            stack.appendElsewhere()
            #expect(JournalView(stack, holding: journal).number == 0, "after commit \(commit)")
        }
        let late: Journal? = stack.fetchExisting(journal.objectID())
        #expect(late === journal)
        #expect(told.withLock { $0 } == [])
        await stack.viewQueue.drained()
        #expect(told.withLock { $0.count } == 3)
        #expect(told.withLock { $0.sorted() } == told.withLock { $0 })
        #expect(JournalView(stack, holding: journal).number == 3)
    }

    @Test(.pins("TX-30"), arguments: TestBackend.allCases)
    func `a fetch before the turn of an asynchronous transaction does not show its commit`(
        _ backend: TestBackend
    ) async throws {
        let test = try TestStack(backend, Journal.schema)
        let stack = test.stack
        let done = Locked(0)
        stack.perform(
            asynchronous: { _ = $0.create(Into<Journal>()) }, completion: { _ in done.withLock { $0 += 1 } })
        stack.waitForWriter()
        #expect(try stack.fetchCount(From<Journal>()) == 0)
        #expect(done.withLock { $0 } == 0)
        await stack.viewQueue.drained()
        #expect(try stack.fetchCount(From<Journal>()) == 1)
        #expect(done.withLock { $0 } == 1)
    }

    @Test(.pins("TX-30"), arguments: TestBackend.allCases)
    func `relationships that are first read later in a turn show the state of the turn`(
        _ backend: TestBackend
    ) async throws {
        let test = try Journal.stack(backend)
        let stack = test.stack
        try stack.perform(synchronous: { try Journal.append(in: $0) })
        let journal = try #require(try stack.fetchOne(From<Journal>()))
        stack.appendElsewhere(times: 2)
        let entry = try #require(journal.entries.first)
        #expect(journal.entries.count == 1)
        #expect(entry.number == 1)
        #expect(entry.journal?.number == 1)
        await stack.viewQueue.drained()
        #expect(journal.entries.count == 3)
        #expect(entry.journal?.number == 3)
    }

    @Test(.pins("TX-02"), arguments: TestBackend.allCases)
    func `observers are called once for each commit, in its turn and before its completion`(
        _ backend: TestBackend
    ) async throws {
        let queue = DispatchQueue(label: "view")
        let test = try Journal.stack(backend, viewQueue: queue)
        let stack = test.stack
        let lines = Locked<[String]>([])
        let first = stack.lastCommit
        stack.onCommit { record in
            let number = JournalView(stack).number ?? -1
            lines.withLock { $0.append("told \(record.number - first) shows \(number)") }
        }
        queue.sync {
            for _ in 1...3 {
                stack.perform(
                    asynchronous: { try Journal.append(in: $0) },
                    completion: { result in
                        let number = JournalView(stack).number ?? -1
                        lines.withLock { $0.append("completed \((try? result.get()) ?? -1) shows \(number)") }
                    })
            }
            stack.waitForWriter()
            #expect(JournalView(stack).number == 0)
            #expect(lines.withLock { $0 } == [])
        }
        await queue.drained()
        #expect(
            lines.withLock { $0 }
                == (1...3).flatMap { ["told \($0) shows \($0)", "completed \($0) shows \($0)"] })
    }

    @Test(.pins("TX-05"), arguments: TestBackend.allCases)
    func `a synchronous transaction on the view queue runs the earlier turns first`(
        _ backend: TestBackend
    ) async throws {
        let test = try Journal.stack(backend)
        let stack = test.stack
        let lines = Locked<[String]>([])
        @Sendable func note(_ line: String) {
            lines.withLock { $0.append("\(line) \(JournalView(stack).number ?? -1)") }
        }
        stack.onCommit { _ in note("told") }
        for _ in 1...2 {
            stack.perform(asynchronous: { try Journal.append(in: $0) }, completion: { _ in note("completed") })
        }
        try stack.perform(synchronous: { transaction in
            note("begins")
            try Journal.append(in: transaction)
            note("ends")
        })
        note("returned")
        let expected = [
            "told 1", "completed 1", "told 2", "completed 2", "begins 2", "ends 2", "told 3", "returned 3",
        ]
        #expect(lines.withLock { $0 } == expected)
        await stack.viewQueue.drained()
        #expect(lines.withLock { $0 } == expected)
    }

    @Test(.pins("TX-06"), arguments: TestBackend.allCases)
    func `without waiting, reads show the commit and observers are called in a later turn`(
        _ backend: TestBackend
    ) async throws {
        let test = try Journal.stack(backend)
        let stack = test.stack
        let journal = try #require(try stack.fetchOne(From<Journal>()))
        let told = Locked<[Int]>([])
        stack.onCommit { _ in told.withLock { $0.append(JournalView(stack).number ?? -1) } }
        try stack.perform(synchronous: { try Journal.append(in: $0) }, waitForAllObservers: false)
        #expect(JournalView(stack, holding: journal).number == 1)
        #expect(told.withLock { $0 } == [])
        try stack.perform(synchronous: { try Journal.append(in: $0) })
        #expect(told.withLock { $0 } == [1, 2])
        await stack.viewQueue.drained()
        #expect(told.withLock { $0 } == [1, 2])
    }

    @Test(.pins("TX-12"), arguments: TestBackend.allCases)
    func `an awaited transaction does not wait for the view queue`(_ backend: TestBackend) async throws {
        let queue = DispatchQueue(label: "view")
        let test = try Journal.stack(backend, viewQueue: queue)
        let stack = test.stack
        queue.sync { #expect(JournalView(stack).number == 0) }
        queue.suspend()
        for number in 1...20 {
            #expect(try await stack.async.perform { try Journal.append(in: $0) } == number)
        }
        queue.resume()
        #expect(queue.sync { JournalView(stack).number } == 20)
    }

    @Test(.pins("TX-06"), arguments: TestBackend.allCases)
    func `a later read on the view queue shows the commit`(
        _ backend: TestBackend
    ) async throws {
        let queue = DispatchQueue(label: "view")
        let test = try Journal.stack(backend, viewQueue: queue)
        let stack = test.stack
        for number in stride(from: 1, through: 40, by: 2) {
            _ = try await stack.async.perform { try Journal.append(in: $0) }
            #expect(queue.sync { JournalView(stack).number } == number)
            stack.appendElsewhere()
            #expect(queue.sync { JournalView(stack).number } == number + 1)
        }
    }

    @Test(.pins("TX-02")) func `a turn can run in a nested run loop`() async throws {
        let test = try Journal.stack(.memory)
        let stack = test.stack
        let journal = try #require(try stack.fetchOne(From<Journal>()))
        stack.appendElsewhere(times: 2)
        #expect(journal.number == 0)
        // A run loop or a modal dialogue does the same: other turns of the queue run inside this turn.
        stack.letTurnsRun()
        #expect(journal.number == 2)
        #expect(JournalView(stack, holding: journal).number == 2)
    }
}
