import Coffer
import CofferStorage
import Foundation
import TestSupport
import Testing

private final class Person: CoreStoreObject {
    @Field.Stored("name") var name: String = ""
    @Field.Stored("age") var age: Int = 0
}

private let schema = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Person>("Person")])

@MainActor
struct SynchronousTests {
    @Test(.pins("TX-05"), arguments: TestBackend.allCases)
    func `a synchronous transaction returns the result of its closure`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        let id = try test.stack.perform(synchronous: { transaction in
            let person = transaction.create(Into<Person>())
            person.name = "Ann"
            return person.objectID()
        })
        let ann: Person = try #require(test.stack.fetchExisting(id))
        #expect(ann.name == "Ann")
    }

    @Test(.pins("TX-04"), arguments: TestBackend.allCases)
    func `an error of the closure becomes a user error and discards all changes`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        let error = #expect(throws: CoreStoreError.self) {
            try test.stack.perform(synchronous: { transaction in
                transaction.create(Into<Person>()).name = "Ann"
                throw Refusal(reason: "changed my mind")
            })
        }
        #expect(error?.thrown as? Refusal == Refusal(reason: "changed my mind"))
        #expect(error?.description == #"userError: Refusal(reason: "changed my mind")"#)
        #expect(try test.stack.fetchCount(From<Person>()) == 0)
    }

    @Test(.pins("TX-04"), arguments: TestBackend.allCases)
    func `a CoreStoreError of the closure is thrown unchanged`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        #expect(throws: CoreStoreError.persistentStoreNotFound(entity: Person.self)) {
            try test.stack.perform(synchronous: { transaction in
                transaction.create(Into<Person>()).name = "Ann"
                throw CoreStoreError.persistentStoreNotFound(entity: Person.self)
            })
        }
        #expect(try test.stack.fetchCount(From<Person>()) == 0)
    }

    @Test(.pins("TX-29"), arguments: TestBackend.allCases)
    func `cancel can exit a guard statement, and nothing is saved`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { $0.create(Into<Person>()).name = "Ann" })
        let ann = try #require(try test.stack.fetchOne(From<Person>()))
        #expect(throws: CoreStoreError.userCancelled) {
            try test.stack.perform(synchronous: { transaction in
                let missing: Person? = nil
                transaction.create(Into<Person>()).name = "Bob"
                transaction.edit(ann)?.name = "Eve"
                guard let person = missing else { try transaction.cancel() }
                person.name = "never"
            })
        }
        #expect(ann.name == "Ann")
        #expect(try test.stack.fetchAll(From<Person>()).map(\.name) == ["Ann"])
        try test.stack.perform(synchronous: { $0.edit(ann)?.age = 40 })
        #expect(ann.age == 40)
    }

    @Test(.pins("TX-10"), arguments: TestBackend.allCases)
    func `without changes nothing is saved and no observer is called`(_ backend: TestBackend) throws {
        let probed = try ProbedStack(backend, schema)
        try probed.stack.perform(synchronous: { $0.create(Into<Person>()).name = "Ann" })
        let commits = Locked(0)
        probed.stack.onCommit { _ in commits.withLock { $0 += 1 } }
        _ = probed.store.takeRequests()
        let result = try probed.stack.perform(synchronous: { transaction in
            let ann = try transaction.fetchOne(From<Person>())
            ann?.name = "Ann"
            let bob = transaction.create(Into<Person>())
            transaction.delete(bob)
            return ann?.name
        })
        #expect(result == "Ann")
        #expect(probed.store.takeRequests() == ["rows Person"])
        #expect(commits.withLock { $0 } == 0)
    }

    @Test(.pins("TX-06"), arguments: TestBackend.allCases)
    func `A6 when a transaction returns, the stack shows the commit and observers were called`(
        _ backend: TestBackend
    ) throws {
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { $0.create(Into<Person>()).name = "Ann" })
        let ann = try #require(try test.stack.fetchOne(From<Person>()))
        let told = Locked<[String]>([])
        test.stack.onCommit { [stack = test.stack] record in
            let names = try? stack.fetchAll(From<Person>()).map(\.name)
            told.withLock { $0 += names ?? [] }
        }
        try test.stack.perform(synchronous: { $0.edit(ann)?.name = "Eve" })
        #expect(told.withLock { $0 } == ["Eve"])
        #expect(ann.name == "Eve")
    }

    @Test(.pins("TX-06"), arguments: TestBackend.allCases)
    func `without waiting, observers are called in a later turn`(_ backend: TestBackend) async throws {
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { $0.create(Into<Person>()).name = "Ann" })
        let ann = try #require(try test.stack.fetchOne(From<Person>()))
        let told = Locked(0)
        test.stack.onCommit { _ in told.withLock { $0 += 1 } }
        try test.stack.perform(synchronous: { $0.edit(ann)?.name = "Eve" }, waitForAllObservers: false)
        #expect(ann.name == "Eve")
        #expect(told.withLock { $0 } == 0)
        await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
        #expect(ann.name == "Eve")
        #expect(told.withLock { $0 } == 1)
    }

    @Test(.pins("TX-06"), arguments: TestBackend.allCases)
    func `A6 without waiting for observers, a fetch shows the commit`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { $0.create(Into<Person>()).name = "Ann" }, waitForAllObservers: false)
        #expect(try test.stack.fetchAll(From<Person>()).map(\.name) == ["Ann"])
    }

    @Test(.pins("TX-07"), arguments: TestBackend.allCases)
    func `a synchronous transaction on another thread returns after the stack shows the commit`(
        _ backend: TestBackend
    ) async throws {
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { $0.create(Into<Person>()).name = "Ann" })
        let ann = try #require(try test.stack.fetchOne(From<Person>()))
        let id = ann.objectID()
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            DispatchQueue.global().async { [stack = test.stack] in
                _ = try? stack.perform(synchronous: { $0.edit(Into<Person>(), id)?.age = 7 })
                continuation.resume()
            }
        }
        #expect(ann.age == 7)
    }

    @Test(.pins("STO-30", "TX-07"), arguments: TestBackend.allCases)
    func `a stack can use its own view queue`(_ backend: TestBackend) throws {
        let queue = DispatchQueue(label: "view")
        let test = try TestStack(backend, schema, viewQueue: queue)
        try test.stack.perform(synchronous: { $0.create(Into<Person>()).name = "Ann" })
        let names = try queue.sync {
            let ann = try test.stack.fetchOne(From<Person>())
            try test.stack.perform(synchronous: { transaction in
                transaction.edit(ann)?.name = "Eve"
                #expect(ann?.name == "Ann")
            })
            return [ann?.name, try test.stack.fetchOne(From<Person>())?.name]
        }
        #expect(names == ["Eve", "Eve"])
    }
}
