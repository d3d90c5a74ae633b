import Coffer
import CofferStorage
import Foundation
import TestSupport
import Testing

/// A view queue that is slow, busy or never runs: no code blocks forever, and memory does not grow without limit.
struct TurnLimitTests {
    /// Runs the body on a separate thread and waits for it.
    ///
    /// - Returns: false if the body does not end in time.
    private func ends(_ body: @escaping @Sendable () -> Void) async -> Bool {
        await withCheckedContinuation { continuation in
            let done = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                body()
                done.signal()
            }
            Thread.detachNewThread { continuation.resume(returning: done.wait(timeout: .now() + 300) == .success) }
        }
    }

    @Test(.pins("TX-05"), arguments: TestBackend.allCases)
    func `A1 a view queue that waits for its transaction runs the turns of earlier transactions`(
        _ backend: TestBackend
    ) async throws {
        let queue = DispatchQueue(label: "view")
        let test = try Journal.stack(backend, viewQueue: queue)
        let stack = test.stack
        let lines = Locked<[String]>([])
        let hasEnded = await ends {
            queue.sync {
                for _ in 1...40 {
                    stack.perform(asynchronous: { try Journal.append(in: $0) }) { result in
                        let number = (try? result.get()) ?? -1
                        lines.withLock { $0.append("\(number) shows \(JournalView(stack).number ?? -1)") }
                    }
                }
                let own = try? stack.perform(synchronous: { try Journal.append(in: $0) })
                lines.withLock { $0.append("\(own ?? -1) shows \(JournalView(stack).number ?? -1)") }
            }
        }
        #expect(hasEnded)
        #expect(lines.withLock { $0 } == (1...41).map { "\($0) shows \($0)" })
    }

    @Test(.pins("TX-03"), arguments: TestBackend.allCases)
    func `A1 a completion called during a waiting transaction can run its own transaction first`(
        _ backend: TestBackend
    ) async throws {
        let queue = DispatchQueue(label: "view")
        let test = try Journal.stack(backend, viewQueue: queue)
        let stack = test.stack
        let lines = Locked<[String]>([])
        @Sendable func append(_ label: String) {
            let number = try? stack.perform(synchronous: { try Journal.append(in: $0) })
            lines.withLock { $0.append("\(label) \(number ?? -1) shows \(JournalView(stack).number ?? -1)") }
        }
        let hasEnded = await ends {
            queue.sync {
                for number in 1...3 {
                    stack.perform(asynchronous: { try Journal.append(in: $0) }) { _ in append("inner \(number)") }
                }
                append("outer")
            }
        }
        #expect(hasEnded)
        let all = lines.withLock { $0 }
        #expect(all.count == 4 && all.last == "outer 7 shows 7")
        #expect(all.map { String($0.split(separator: " ").first ?? "") } == ["inner", "inner", "inner", "outer"])
    }

    @Test(.pins("TX-03"), arguments: TestBackend.allCases)
    func `A1 a completion that waits for another thread's transaction causes no deadlock`(
        _ backend: TestBackend
    ) async throws {
        let queue = DispatchQueue(label: "view")
        let test = try Journal.stack(backend, viewQueue: queue)
        let stack = test.stack
        let hasEnded = await ends {
            queue.sync {
                stack.perform(asynchronous: { try Journal.append(in: $0) }) { _ in stack.appendElsewhere() }
                _ = try? stack.perform(synchronous: { try Journal.append(in: $0) })
            }
        }
        #expect(hasEnded)
        #expect(queue.sync { JournalView(stack).number } == 3)
    }

    @Test(.pins("TX-41"), arguments: TestBackend.allCases)
    func `the commit and the completion of an unsafe transaction run in the same turn`(
        _ backend: TestBackend
    ) async throws {
        let queue = DispatchQueue(label: "view")
        let test = try Journal.stack(backend, viewQueue: queue)
        let stack = test.stack
        let lines = Locked<[String]>([])
        stack.onCommit { _ in lines.withLock { $0.append("told \(JournalView(stack).number ?? -1)") } }
        let unsafe = stack.beginUnsafe()
        try Journal.append(in: unsafe)
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            queue.sync {
                #expect(JournalView(stack).number == 0)
                unsafe.commit { error in
                    lines.withLock { $0.append("committed \(error == nil) \(JournalView(stack).number ?? -1)") }
                    continuation.resume()
                }
                stack.perform(asynchronous: { try Journal.append(in: $0) }, completion: { _ in })
                stack.waitForWriter()
                #expect(JournalView(stack).number == 0)
            }
        }
        await queue.drained()
        #expect(lines.withLock { $0 } == ["told 1", "committed true 1", "told 2"])
    }

    @Test(.pins("TX-06"), arguments: TestBackend.allCases)
    func `waiting turns of a suspended view queue are limited, and all commits are shown later`(
        _ backend: TestBackend
    ) async throws {
        let queue = DispatchQueue(label: "view")
        let probed = try ProbedStack(backend, Journal.schema, viewQueue: queue)
        let stack = probed.stack
        try stack.perform(synchronous: { _ = $0.create(Into<Journal>()) })
        let told = Locked<[Bool]>([])
        stack.onCommit { record in told.withLock { $0.append(record.isUnknown) } }
        let held = UnsafeTransfer(queue.sync { try? stack.fetchOne(From<Journal>()) })
        let removed = UnsafeTransfer(queue.sync { try? stack.fetchOne(From<Journal>()) })
        let list = UnsafeTransfer(queue.sync { stack.publishList(From<JournalEntry>().orderBy(.ascending(\.$number))) })
        withExtendedLifetime(removed) {}
        queue.suspend()
        for _ in 1...1_200 { _ = try await stack.async.perform { try Journal.append(in: $0) } }
        let backlog = stack.backlog
        #expect(backlog.turns <= 64 && backlog.snapshots <= 8 && backlog.size < 20_000)
        #expect(probed.store.readerCount <= 8)
        stack.dropSnapshots()
        #expect(stack.backlog.snapshots == 0 && stack.backlog.turns == 1 && probed.store.readerCount == 0)
        _ = try await stack.async.perform { try Journal.append(in: $0) }
        #expect(stack.backlog.turns == 1)
        queue.resume()
        queue.sync {
            #expect(JournalView(stack, holding: held.value).number == 1_201)
            #expect(list.value.snapshot.itemIDs.count == 1_201)
        }
        #expect(told.withLock { $0.contains(true) && $0.count < 1_200 })
        try stack.perform(synchronous: { try Journal.append(in: $0) })
        queue.sync { #expect(list.value.snapshot.itemIDs.count == 1_202) }
        #expect(told.withLock { $0.last } == false)
        #expect(stack.backlog == (0, 0, 0))
    }

    @Test(.pins("TX-07"), arguments: TestBackend.allCases)
    func `commits hold no snapshots and do not wait for the view queue if no object is in use`(
        _ backend: TestBackend
    ) async throws {
        let queue = DispatchQueue(label: "view")
        let probed = try ProbedStack(backend, Journal.schema, viewQueue: queue)
        let stack = probed.stack
        queue.suspend()
        try stack.perform(synchronous: { _ = $0.create(Into<Journal>()) })
        for _ in 1...3 { _ = try await stack.async.perform { $0.create(Into<Journal>()).number = 7 } }
        #expect(stack.backlog == (0, 0, 0))
        #expect(
            probed.store.takeRequests().filter { !$0.hasPrefix("reserve") }
                == Array(repeating: "commit +1 *0 -0", count: 4))
        queue.resume()
        #expect(try queue.sync { try stack.fetchCount(From<Journal>()) } == 4)
        // The values that were read no longer exist. After some turns, the stack no longer treats its store as read.
        for _ in 1...70 {
            _ = try await stack.async.perform { $0.create(Into<Journal>()).number = 7 }
            queue.sync {}
        }
        queue.suspend()
        _ = try await stack.async.perform { $0.create(Into<Journal>()).number = 7 }
        #expect(stack.backlog == (0, 0, 0))
        queue.resume()
    }

    @Test(.pins("TX-30"), arguments: TestBackend.allCases)
    func `a stack holds no snapshot of a store with few readers`(_ backend: TestBackend) async throws {
        let directory = try TestStack.makeDirectory()
        defer { TestStack.remove(directory) }
        let queue = DispatchQueue(label: "view")
        let stack = DataStack(Journal.schema, viewQueue: queue)
        defer { stack.unsafeRemoveAllPersistentStoresAndWait() }
        try stack.addStorageAndWait(NarrowStore(try backend.makeStore("narrow", in: directory)))
        try stack.perform(synchronous: { _ = $0.create(Into<Journal>()) })
        queue.sync { #expect(JournalView(stack).number == 0) }
        queue.suspend()
        for _ in 1...20 { _ = try await stack.async.perform { try Journal.append(in: $0) } }
        #expect(stack.backlog.snapshots == 0)
        queue.resume()
        #expect(queue.sync { JournalView(stack).number } == 20)
    }
}

/// A store that has one reader at a time.
private final class NarrowStore: PooledStorage {
    static let storeType = "Narrow"
    private let base: any StorageInterface

    init(_ base: any StorageInterface) {
        self.base = base
    }

    var readerLimit: Int { 1 }
    var configuration: ModelConfiguration { base.configuration }
    var storeDescription: String { base.storeDescription }
    func inspect() throws(StorageError) -> StoreMetadata? { try base.inspect() }
    func open(_ layout: ModelLayout) throws(StorageError) -> StoreMetadata { try base.open(layout) }
    func close() { base.close() }
    func erase() throws(StorageError) { try base.erase() }
    func makeReader() throws(StorageError) -> any StorageReader { try base.makeReader() }
    func reserveKeys(_ count: Int, root: Int) throws(StorageError) -> Range<Int64> {
        try base.reserveKeys(count, root: root)
    }
    func commit(_ changes: ChangeSet) throws(StorageError) -> CommitResult { try base.commit(changes) }
}
