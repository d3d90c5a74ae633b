import Coffer
import Dispatch
import TestSupport
import Testing

@testable import CofferObservation

/// The end of a loop over an observed sequence, and the objects that it keeps alive.
@MainActor
struct StreamLifetimeTests {
    nonisolated private var everybody: FetchChainBuilder<Town.Person> {
        From<Town.Person>().orderBy(.ascending(\.$name))
    }

    @Test(.pins("RX-03"), arguments: TestBackend.allCases)
    func `a loop keeps its publisher alive and releases the publisher when the loop ends`(
        _ backend: TestBackend
    ) async throws {
        let test = try Town.filled(backend, ["Ann": 1])
        weak var list: ListPublisher<Town.Person>?
        do {
            var snapshots = {
                let publisher = test.stack.publishList(everybody)
                list = publisher
                return publisher.snapshots().makeAsyncIterator()
            }()
            _ = await snapshots.next()
            #expect(list != nil && test.stack.async.subscriptionCount == 1)
            try test.add("Bob", 2)
            #expect(await snapshots.next()?.text == "Ann Bob")
        }
        #expect(list == nil && test.stack.async.subscriptionCount == 0)
        for await snapshot in test.stack.publishList(everybody).snapshots() {
            #expect(snapshot.text == "Ann Bob" && test.stack.async.subscriptionCount == 1)
            break
        }
        #expect(test.stack.async.subscriptionCount == 0)
    }

    @Test(.pins("RX-03"), arguments: TestBackend.allCases)
    func `a cancelled task ends its loop at once and leaves no subscription`(
        _ backend: TestBackend
    ) async throws {
        let test = try Town.filled(backend, ["Ann": 1])
        let stack = test.stack
        weak var list: ListPublisher<Town.Person>?
        let (isWaiting, reports) = AsyncStream<Void>.makeStream()
        let task = Task {
            let publisher = stack.publishList(everybody)
            list = publisher
            let snapshots = publisher.snapshots()
            var count = 0
            for await _ in snapshots {
                count += 1
                reports.yield()
            }
            return count
        }
        for await _ in isWaiting { break }
        #expect(list != nil && stack.async.subscriptionCount == 1)
        task.cancel()
        // The subscription ends with the cancellation, and does not wait for the task to continue.
        #expect(stack.async.subscriptionCount == 0)
        #expect(await task.value == 1)
        #expect(list == nil)
        try test.add("Bob", 2)
    }

    @Test(.pins("RX-03"), arguments: TestBackend.allCases)
    func `a loop in a cancelled task receives no value`(_ backend: TestBackend) async throws {
        let test = try Town.filled(backend, ["Ann": 1])
        let stack = test.stack
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            var (lists, commits, values) = (0, 0, 0)
            for await _ in stack.publishList(everybody).snapshots() { lists += 1 }
            for await _ in stack.async.commits() { commits += 1 }
            for try await _ in stack.async.values(of: everybody, { $0.name }) { values += 1 }
            return lists + commits + values
        }
        #expect(try await task.value == 0)
        #expect(stack.async.subscriptionCount == 0)
    }

    @Test(.pins("RX-03"), arguments: TestBackend.allCases)
    func `a waiting loop ends when the storages are removed`(_ backend: TestBackend) async throws {
        let test = try Town.filled(backend, ["Ann": 1])
        let stack = test.stack
        let ann = stack.publishObject(try #require(try test.person("Ann")))
        var lists = stack.publishList(everybody).snapshots().makeAsyncIterator()
        var objects = ann.snapshots().makeAsyncIterator()
        var commits = stack.async.commits().makeAsyncIterator()
        _ = await (lists.next(), objects.next())
        stack.unsafeRemoveAllPersistentStoresAndWait()
        #expect(await lists.next() == nil)
        #expect(await objects.next() == nil)
        #expect(await commits.next() == nil)
        #expect(stack.async.subscriptionCount == 0)
    }

    @Test(.pins("RX-03"), arguments: TestBackend.allCases)
    func `a loop does not keep its data stack alive, and ends when the stack is deallocated`(
        _ backend: TestBackend
    ) async throws {
        let directory = try TestStack.makeDirectory()
        defer { TestStack.remove(directory) }
        var stack: DataStack? = DataStack(Town.schema)
        try TestStack.addStore(backend, to: try #require(stack), in: directory)
        weak var weakStack: DataStack?
        weakStack = stack
        var lists = try #require(stack).publishList(everybody).snapshots().makeAsyncIterator()
        let values = try #require(stack).async.values(of: everybody) { $0.name }
        var names = values.makeAsyncIterator()
        var commits = try #require(stack).async.commits().makeAsyncIterator()
        let later = try #require(stack).async.commits()
        #expect(await lists.next()?.count == 0)
        #expect(try await names.next() == [])
        stack = nil
        #expect(weakStack == nil)
        #expect(await lists.next() == nil)
        #expect(try await names.next() == nil)
        #expect(await commits.next() == nil)
        for await _ in later { Issue.record("A deallocated stack reported a commit.") }
    }

    @Test(.pins("RX-06"), arguments: TestBackend.allCases)
    func `a loop that ends before the view queue runs leaves no observation`(
        _ backend: TestBackend
    ) async throws {
        let queue = DispatchQueue(label: "view")
        let test = try TestStack(backend, Town.schema, viewQueue: queue)
        let stack = test.stack
        let isFree = DispatchSemaphore(value: 0)
        queue.async { isFree.wait() }
        do {
            let snapshots = stack.async.snapshots(of: everybody).makeAsyncIterator()
            #expect(stack.async.subscriptionCount == 0)
            #expect(!CommitObservers.of(stack).subscriptions.isEmpty)
            _ = consume snapshots
        }
        #expect(CommitObservers.of(stack).subscriptions.isEmpty)
        // A task that waits for the busy queue can be cancelled.
        let task = Task.detached { await stack.async.commits().first { _ in true } == nil }
        task.cancel()
        #expect(await task.value)
        isFree.signal()
        queue.sync {}
        #expect(stack.async.subscriptionCount == 0)
    }
}
