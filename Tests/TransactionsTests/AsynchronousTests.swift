import Coffer
import CofferStorage
import Foundation
import TestSupport
import Testing

private final class Person: CoreStoreObject {
    @Field.Stored("name") var name: String = ""
    @Field.Stored("age") var age: Int = 0
}

extension DispatchQueue {
    /// Whether the current code runs on the main queue, on any thread.
    static var isMain: Bool {
        let key = DispatchSpecificKey<Bool>()
        main.setSpecific(key: key, value: true)
        defer { main.setSpecific(key: key, value: nil) }
        return getSpecific(key: key) == true
    }
}

private let schema = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Person>("Person")])

@MainActor
struct AsynchronousTests {
    @Test(.pins("TX-01"), arguments: TestBackend.allCases)
    func `transactions run one after the other, in the order of their calls`(
        _ backend: TestBackend
    ) async throws {
        let test = try TestStack(backend, schema)
        let stack = test.stack
        let order = Locked<[String]>([])
        stack.perform(
            asynchronous: { transaction in
                order.withLock { $0.append("first begins") }
                transaction.create(Into<Person>()).name = "first"
                order.withLock { $0.append("first ends") }
            }, completion: { _ in })
        stack.perform(
            asynchronous: { transaction in
                let count = try transaction.fetchCount(From<Person>())
                order.withLock { $0.append("second sees \(count)") }
            }, completion: { _ in })
        try stack.perform(synchronous: { _ in order.withLock { $0.append("third") } })
        #expect(order.withLock { $0 } == ["first begins", "first ends", "second sees 1", "third"])
    }

    @Test(.pins("TX-02"), arguments: TestBackend.allCases)
    func `the completion runs on the view queue and sees the changes`(_ backend: TestBackend) async throws {
        let test = try TestStack(backend, schema)
        let stack = test.stack
        let seen: [String] = await withCheckedContinuation { continuation in
            stack.perform(
                asynchronous: { transaction in
                    #expect(!DispatchQueue.isMain)
                    transaction.create(Into<Person>()).name = "Ann"
                    return 7
                },
                success: { value in
                    #expect(DispatchQueue.isMain)
                    let names = (try? stack.fetchAll(From<Person>()).map(\.name)) ?? []
                    continuation.resume(returning: ["\(value)"] + names)
                },
                failure: { continuation.resume(returning: ["\($0)"]) }
            )
        }
        #expect(seen == ["7", "Ann"])
    }

    @Test(.pins("TX-02"), arguments: TestBackend.allCases)
    func `after an error, failure runs on the view queue and nothing is saved`(_ backend: TestBackend) async throws {
        let test = try TestStack(backend, schema)
        let stack = test.stack
        let seen: String = await withCheckedContinuation { continuation in
            stack.perform(
                asynchronous: { transaction in
                    transaction.create(Into<Person>()).name = "Ann"
                    throw Refusal()
                },
                success: { continuation.resume(returning: "success") },
                failure: { error in
                    #expect(DispatchQueue.isMain)
                    continuation.resume(returning: error.description)
                }
            )
        }
        #expect(seen == #"userError: Refusal(reason: "no")"#)
        #expect(try stack.fetchCount(From<Person>()) == 0)
    }

    @Test(.pins("TX-29"), arguments: TestBackend.allCases)
    func `a cancelled asynchronous transaction throws userCancelled and saves nothing`(
        _ backend: TestBackend
    ) async throws {
        let test = try TestStack(backend, schema)
        let result = await test.stack.outcome { transaction in
            transaction.create(Into<Person>()).name = "Ann"
            try transaction.cancel()
        }
        #expect(throws: CoreStoreError.userCancelled) { try result.get() }
        #expect(try test.stack.fetchCount(From<Person>()) == 0)
    }

    @Test(.pins("TX-29"), arguments: TestBackend.allCases)
    func `cancel can exit a guard statement in a function that throws only CoreStoreError`(
        _ backend: TestBackend
    ) async throws {
        @Sendable func person(
            named name: String, in transaction: AsynchronousDataTransaction
        ) throws(CoreStoreError) -> Person {
            let found = try transaction.fetchOne(From<Person>().where(\.$name == name))
            guard let found else { try transaction.cancel() }
            return found
        }
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { $0.create(Into<Person>()).name = "Ann" })
        for name in ["Ann", "Bob"] {
            let result = await test.stack.outcome { transaction in
                transaction.create(Into<Person>()).name = "Eve"
                try person(named: name, in: transaction).age = 40
            }
            if name == "Bob" { #expect(throws: CoreStoreError.userCancelled) { try result.get() } }
        }
        let people = try test.stack.fetchAll(From<Person>().orderBy(.ascending(\.$name)))
        #expect(people.map { "\($0.name) \($0.age)" } == ["Ann 40", "Eve 0"])
    }

    @Test(.pins("TX-03"), arguments: TestBackend.allCases)
    func `A1 a completion may run a synchronous transaction`(_ backend: TestBackend) async throws {
        let test = try TestStack(backend, schema)
        let stack = test.stack
        let names: [String] = await withCheckedContinuation { continuation in
            stack.perform(
                asynchronous: { $0.create(Into<Person>()).name = "Ann" },
                completion: { _ in
                    _ = try? stack.perform(synchronous: { $0.create(Into<Person>()).name = "Bob" })
                    let all = try? stack.fetchAll(From<Person>(), OrderBy<Person>(.ascending(\.$name))).map(\.name)
                    continuation.resume(returning: all ?? [])
                }
            )
        }
        #expect(names == ["Ann", "Bob"])
    }

    @Test(.pins("TX-03"), arguments: TestBackend.allCases)
    func `A1 another transaction can run before the completion returns`(_ backend: TestBackend) async throws {
        let test = try TestStack(backend, schema)
        let stack = test.stack
        let ran: Bool = await withCheckedContinuation { continuation in
            stack.perform(
                asynchronous: { $0.create(Into<Person>()).name = "Ann" },
                completion: { _ in
                    // This block keeps the view queue busy until the transaction of another thread has ended.
                    let done = DispatchSemaphore(value: 0)
                    DispatchQueue.global().async {
                        _ = try? stack.perform(
                            synchronous: { $0.create(Into<Person>()).name = "Bob" }, waitForAllObservers: false
                        )
                        done.signal()
                    }
                    continuation.resume(returning: done.wait(timeout: .now() + 600) == .success)
                }
            )
        }
        #expect(ran)
        #expect(try stack.fetchCount(From<Person>()) == 2)
    }

    @Test(.pins("TX-08"), arguments: TestBackend.allCases)
    func `each commit has the source identifier of its transaction`(_ backend: TestBackend) async throws {
        let test = try TestStack(backend, schema)
        let sources = Locked<[String]>([])
        test.stack.onCommit { record in
            let source = record.sourceIdentifier.value as? String ?? "nil"
            sources.withLock { $0.append(source) }
        }
        _ = await test.stack.outcome(sourceIdentifier: "async") { transaction in
            #expect(transaction.sourceIdentifier as? String == "async")
            _ = transaction.create(Into<Person>())
        }
        try test.stack.perform(synchronous: { _ = $0.create(Into<Person>()) }, sourceIdentifier: "sync")
        let unsafe = test.stack.beginUnsafe(sourceIdentifier: "unsafe")
        _ = unsafe.create(Into<Person>())
        try unsafe.commitAndWait()
        #expect(throws: CoreStoreError.userCancelled) {
            try test.stack.perform(
                synchronous: { transaction in
                    _ = transaction.create(Into<Person>())
                    try transaction.cancel()
                }, sourceIdentifier: "cancelled")
        }
        try test.stack.perform(synchronous: { _ = $0.create(Into<Person>()) })
        #expect(sources.withLock { $0 } == ["async", "sync", "unsafe", "nil"])
    }

    @Test(.pins("TX-10"), arguments: TestBackend.allCases)
    func `success is called even if the transaction changes nothing`(_ backend: TestBackend) async throws {
        let test = try TestStack(backend, schema)
        let result = await test.stack.outcome { _ in "done" }
        #expect(try result.get() == "done")
    }

    @Test(.pins("TX-10"), arguments: TestBackend.allCases)
    func `asynchronous and unsafe transactions without changes save nothing and call no observers`(
        _ backend: TestBackend
    ) async throws {
        let probed = try ProbedStack(backend, schema)
        let stack = probed.stack
        try stack.perform(synchronous: { $0.create(Into<Person>()).name = "Ann" })
        let told = Locked(0)
        stack.onCommit { _ in told.withLock { $0 += 1 } }
        _ = probed.store.takeRequests()
        let result = await stack.outcome { try $0.fetchCount(From<Person>()) }
        #expect(try result.get() == 1)
        #expect(try await stack.async.perform { try $0.fetchCount(From<Person>()) } == 1)
        let draft = stack.beginUnsafe()
        draft.delete(draft.create(Into<Person>()))
        try draft.commitAndWait()
        await stack.viewQueue.drained()
        #expect(probed.store.takeRequests().filter { $0.hasPrefix("commit") } == [])
        #expect(told.withLock { $0 } == 0)
    }

    @Test(.pins("TX-12"), arguments: TestBackend.allCases)
    func `an awaited transaction returns after the stack shows its changes`(_ backend: TestBackend) async throws {
        let test = try TestStack(backend, schema)
        let id = try await test.stack.async.perform { transaction in
            let ann = transaction.create(Into<Person>())
            ann.name = "Ann"
            return ann.objectID()
        }
        let ann: Person = try #require(test.stack.fetchExisting(id))
        #expect(ann.name == "Ann")
        try await test.stack.async.perform { $0.edit(Into<Person>(), id)?.age = 5 }
        #expect(ann.age == 5)
        await #expect(throws: CoreStoreError.userCancelled) {
            try await test.stack.async.perform { transaction in
                transaction.edit(Into<Person>(), id)?.age = 6
                try transaction.cancel()
            }
        }
        #expect(ann.age == 5)
    }

    @Test(.pins("TX-12"), arguments: TestBackend.allCases)
    func `a hundred concurrent awaited transactions save all their changes`(_ backend: TestBackend) async throws {
        let test = try TestStack(backend, schema)
        let stack = test.stack
        let id = try await stack.async.perform { $0.create(Into<Person>()).objectID() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<100 {
                group.addTask { try await stack.async.perform { $0.edit(Into<Person>(), id)?.age += 1 } }
            }
            try await group.waitForAll()
        }
        let person: Person = try #require(stack.fetchExisting(id))
        #expect(person.age == 100)
    }
}
