import Coffer
import CofferStorage
import Dispatch
import Foundation
import TestSupport
import Testing

/// The values of a list as a server reads them: in any task, with a view queue of the stack's own.
struct ListValueTests {
    private static func town(_ backend: TestBackend) throws -> TestStack {
        let test = try TestStack(backend, Town.schema, viewQueue: DispatchQueue(label: "view"))
        try test.stack.perform(synchronous: { transaction in
            for (name, age) in [("Ann", 1), ("Bob", 2)] {
                let person = transaction.create(Into<Town.Person>())
                (person.name, person.age) = (name, age)
            }
        })
        return test
    }

    @Test(.pins("RX-06"), arguments: TestBackend.allCases)
    func `a task reads the values of a list again after each commit that changes it`(
        _ backend: TestBackend
    ) async throws {
        let test = try Self.town(backend)
        let list = From<Town.Person>().where { $0.$age > 1 }.orderBy(.ascending(\.$name))
        var values = test.stack.async.values(of: list) { "\($0.name) \($0.pets.count)" }.makeAsyncIterator()
        #expect(try await values.next() == ["Bob 0"])
        try await test.stack.async.perform { transaction in
            let cat = transaction.create(Into<Town.Person>())
            (cat.name, cat.age) = ("Cat", 3)
            transaction.create(Into<Town.Pet>()).master = cat
        }
        #expect(try await values.next() == ["Bob 0", "Cat 1"])
    }

    @Test(.pins("RX-06"), arguments: TestBackend.allCases)
    func `a task that alternates between writing and reading misses no commit`(_ backend: TestBackend) async throws {
        let test = try Self.town(backend)
        let list = From<Town.Person>().orderBy(.ascending(\.$age))
        var values = test.stack.async.values(of: list) { $0.age }.makeAsyncIterator()
        var seen = try await values.next()
        for age in 3..<40 {
            try await test.stack.async.perform { $0.create(Into<Town.Person>()).age = age }
            // An array may already contain the commit for which the next array is read.
            while seen?.last != age { seen = try await values.next() }
            #expect(seen == Array(1...age))
        }
    }

    @Test(.pins("RX-06"), arguments: TestBackend.allCases)
    func `many tasks can follow one list at once, and no subscription remains`(_ backend: TestBackend) async throws {
        let test = try Self.town(backend)
        let stack = test.stack
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    let list = From<Town.Person>().orderBy(.ascending(\.$name))
                    for try await names in stack.async.values(of: list, { $0.name }) where names.count == 7 { return }
                }
            }
            group.addTask {
                for name in ["Cat", "Dan", "Eve", "Fay", "Gus"] {
                    try await stack.async.perform { $0.create(Into<Town.Person>()).name = name }
                }
            }
            try await group.waitForAll()
        }
        #expect(stack.async.subscriptionCount == 0)
    }

    @Test(.pins("RX-06"), arguments: TestBackend.allCases)
    func `a loop throws the error of the list or of the closure, and ends`(
        _ backend: TestBackend
    ) async throws {
        struct Refusal: Error {}
        let test = try Self.town(backend)
        let stack = test.stack
        var wrong = stack.async.snapshots(
            of: From<Town.Person>().where(format: "beak == 1").orderBy(.ascending(\.$name))
        ).makeAsyncIterator()
        let error = await #expect(throws: CoreStoreError.self) { try await wrong.next() }
        #expect(error?.description.contains("'beak'") == true)
        #expect(try await wrong.next() == nil)
        var refused = stack.async.values(of: From<Town.Person>().orderBy(.ascending(\.$name))) { _ -> Int in
            throw Refusal()
        }.makeAsyncIterator()
        await #expect(throws: CoreStoreError.self) { try await refused.next() }
        #expect(try await refused.next() == nil)
        #expect(stack.async.subscriptionCount == 0)
    }

    @Test(.pins("RX-06"), arguments: TestBackend.allCases)
    func `a list that cannot be fetched again ends the loop with the error`(
        _ backend: TestBackend
    ) async throws {
        let probed = try ProbedStack(backend, Town.schema, viewQueue: DispatchQueue(label: "view"))
        // A limit makes the list fetch again after each commit.
        let list = From<Town.Person>().orderBy(.ascending(\.$name)).tweak { $0.fetchLimit = 1 }
        var snapshots = probed.stack.async.snapshots(of: list).makeAsyncIterator()
        #expect(try await snapshots.next()?.count == 0)
        // The first read begins the snapshot of the view queue. The second one reads the list.
        probed.store.fail(.read, after: 1)
        try await probed.stack.async.perform { _ = $0.create(Into<Town.Person>()) }
        let error = await #expect(throws: CoreStoreError.self) { try await snapshots.next() }
        #expect(error?.storageError?.message == "The disk is on fire.")
        #expect(!probed.store.stopFailing(.read))
        #expect(try await snapshots.next() == nil)
        #expect(probed.stack.async.subscriptionCount == 0)
    }

    @Test(.pins("RX-06", "OBS-53"), arguments: TestBackend.allCases)
    func `a loop that begins before a storage is added waits for a storage`(
        _ backend: TestBackend
    ) async throws {
        let directory = try TestStack.makeDirectory()
        defer { TestStack.remove(directory) }
        let stack = DataStack(Town.schema, viewQueue: DispatchQueue(label: "view"))
        let list = From<Town.Person>().orderBy(.ascending(\.$name))
        var snapshots = stack.async.snapshots(of: list).makeAsyncIterator()
        #expect(try await snapshots.next()?.count == 0)
        try TestStack.addStore(backend, to: stack, in: directory)
        try await stack.async.perform { _ = $0.create(Into<Town.Person>()) }
        var count = 0
        while count == 0 { count = try #require(try await snapshots.next()).count }
        #expect(count == 1)
        stack.unsafeRemoveAllPersistentStoresAndWait()
        #expect(try await snapshots.next() == nil)
    }

    @Test(.pins("RX-06"), arguments: TestBackend.allCases)
    func `the clauses of a list are applied only once, by the caller`(_ backend: TestBackend) async throws {
        let test = try Self.town(backend)
        let calls = Calls()
        let list = From<Town.Person>().orderBy(.descending(\.$age)).tweak { request in
            calls.count += 1
            request.fetchLimit = 1
        }
        let (values, snapshots) = (test.stack.async.values(of: list) { $0.name }, test.stack.async.snapshots(of: list))
        #expect(calls.count == 2)
        for _ in 1...3 {
            var (values, snapshots) = (values.makeAsyncIterator(), snapshots.makeAsyncIterator())
            #expect(try await values.next() == ["Bob"])
            #expect(try await snapshots.next()?.count == 1)
        }
        #expect(calls.count == 2)
    }

    @Test(.pins("RX-06"), arguments: TestBackend.allCases)
    func `a loop ends without an error when the storages are removed, even during a read`(
        _ backend: TestBackend
    ) async throws {
        for _ in 1...(backend == .memory ? 100 : 15) {
            let test = try Self.town(backend)
            let stack = test.stack
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 1...4 {
                    group.addTask {
                        let list = From<Town.Person>().orderBy(.ascending(\.$name))
                        for try await _ in stack.async.values(of: list, { $0.name }) {}
                    }
                }
                while stack.async.subscriptionCount < 4 { await Task.yield() }
                for _ in 1...3 { try await stack.async.perform { _ = $0.create(Into<Town.Person>()) } }
                stack.unsafeRemoveAllPersistentStoresAndWait()
                try await group.waitForAll()
            }
        }
    }

    @Test(.pins("RX-06"), arguments: TestBackend.allCases)
    func `a loop is counted when it begins to observe, and then receives the next commit`(
        _ backend: TestBackend
    ) async throws {
        let queue = DispatchQueue(label: "view")
        let test = try TestStack(backend, Town.schema, viewQueue: queue)
        let isBlocked = DispatchSemaphore(value: 0)
        let mayGoOn = DispatchSemaphore(value: 0)
        queue.async {
            isBlocked.signal()
            mayGoOn.wait()
        }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                isBlocked.wait()
                continuation.resume()
            }
        }
        var commits = test.stack.async.commits().makeAsyncIterator()
        #expect(test.stack.async.subscriptionCount == 0)
        mayGoOn.signal()
        while test.stack.async.subscriptionCount == 0 { await Task.yield() }
        try await test.stack.async.perform { _ = $0.create(Into<Town.Person>()) }
        #expect(await commits.next()?.insertedIDs.count == 1)
    }
}

/// A counter of the calls of a closure that one task uses.
private final class Calls {
    var count = 0
}
