import Coffer
import CofferStorage
import Dispatch
import TestSupport
import Testing

private final class Person: CoreStoreObject {
    @Field.Stored("name") var name: String = ""
    @Field.Stored("age") var age: Int = 0
    @Field.Relationship("boss") var boss: Person?
    @Field.Relationship("team", inverse: \.$boss) var team: Set<Person>
}

private let schema = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Person>("StalePerson")])

/// Objects without their row, transaction or stack; their values stay readable, and the program does not stop.
@MainActor
struct StaleObjectTests {
    private func make(_ backend: TestBackend) throws -> (test: TestStack, ann: Person, bob: Person) {
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { transaction in
            let ann = transaction.create(Into<Person>())
            ann.name = "Ann"
            let bob = transaction.create(Into<Person>())
            bob.name = "Bob"
            bob.boss = ann
        })
        let people = try test.stack.fetchAll(From<Person>().orderBy(.ascending(\.$name)))
        return (test, people[0], people[1])
    }

    @Test(.pins("STO-31"), arguments: TestBackend.allCases)
    func `A7 live objects show commits, and keep their last values when deleted`(_ backend: TestBackend) throws {
        let (test, ann, bob) = try make(backend)
        #expect(ann.team == [bob])
        try test.stack.perform(synchronous: { transaction in
            let own = try #require(transaction.edit(bob))
            own.name = "Bobby"
            own.boss = nil
        })
        #expect(bob.name == "Bobby")
        #expect(bob.boss == nil)
        #expect(ann.team.isEmpty)
        try test.stack.perform(synchronous: { $0.edit(bob)?.boss = $0.edit(ann) })
        #expect(ann.team == [bob])
        try test.stack.perform(synchronous: { $0.delete(bob) })
        #expect(ann.team.isEmpty)
        #expect(bob.isDeleted)
        #expect(!ann.isDeleted)
        #expect(bob.name == "Bobby")
        #expect(bob.boss === ann)
        #expect(bob.team.isEmpty)
        #expect(test.stack.fetchExisting(bob.objectID()) as Person? == nil)
        try test.stack.perform(synchronous: { $0.delete(ann) })
        #expect(bob.boss == nil)
        #expect(ann.team.isEmpty)
    }

    @Test(.pins("TX-09"), arguments: TestBackend.allCases)
    func `fetchExisting returns the stack's object for an object of an ended transaction`(_ backend: TestBackend) throws
    {
        let (test, ann, _) = try make(backend)
        let (old, new) = try test.stack.perform(synchronous: { transaction in
            let own = try #require(transaction.edit(ann))
            own.age = 40
            let new = transaction.create(Into<Person>())
            new.name = "Eve"
            new.boss = own
            return (own, new)
        })
        #expect(test.stack.fetchExisting(old) === ann)
        #expect(ann.age == 40)
        let eve = try #require(test.stack.fetchExisting(new))
        #expect(eve.name == "Eve")
        #expect(eve.boss === ann)
        #expect(test.stack.fetchExisting([new, old]) == [eve, ann])
        #expect(old.age == 40)
        #expect(old.fetchSource() == nil)
        #expect(new.name == "Eve")
        #expect(new.boss == nil)
        #expect(old.team.isEmpty)
    }

    @Test(.pins("TX-09", "FQ-03"), arguments: TestBackend.allCases)
    func `fetchExisting finds an object of a cancelled transaction only if it was saved before`(
        _ backend: TestBackend
    ) throws {
        let (test, ann, _) = try make(backend)
        var left: [Person] = []
        #expect(throws: CoreStoreError.userCancelled) {
            try test.stack.perform(synchronous: { transaction in
                left = [try #require(transaction.edit(ann)), transaction.create(Into<Person>())]
                left[0].name = "Eve"
                try transaction.cancel()
            })
        }
        #expect(left[0].name == "Eve")
        #expect(test.stack.fetchExisting(left[0]) === ann)
        #expect(ann.name == "Ann")
        #expect(test.stack.fetchExisting(left) == [ann])
        let name = left[1].objectID().description
        let recording = RecordingLogger.record(name) { #expect(test.stack.fetchExisting(left[1]) == nil) }
        #expect(recording.errors == ["\(name) was not found. It was deleted or never saved."])
    }

    @Test(.pins("TX-21"), arguments: TestBackend.allCases)
    func `using an ended transaction changes nothing and fails assertions`(_ backend: TestBackend) throws {
        let (test, ann, _) = try make(backend)
        var ended: SynchronousDataTransaction?
        var own: Person?
        try test.stack.perform(synchronous: { transaction in
            ended = transaction
            own = transaction.edit(ann)
        })
        let recording = RecordingLogger.record(" ") {
            #expect(ended?.edit(ann) == nil)
            ended?.delete(ann)
            own?.name = "Eve"
        }
        #expect(recording.assertions.contains("'edit' was called on a finished transaction."))
        #expect(recording.assertions.contains("'delete' was called on a finished transaction."))
        #expect(recording.assertions.contains("'Person' cannot be changed, because its transaction is finished."))
        #expect(ann.name == "Ann")
        #expect(try test.stack.fetchCount(From<Person>()) == 2)
    }

    @Test(.pins("TX-21"), arguments: TestBackend.allCases)
    func `creating, editing and deleting on another queue fail an assertion each`(
        _ backend: TestBackend
    ) throws {
        let (test, ann, _) = try make(backend)
        nonisolated(unsafe) let unsafeAnn = ann
        let recording = RecordingLogger.record(" ") {
            try? test.stack.perform(synchronous: { transaction in
                nonisolated(unsafe) let transaction = transaction
                let own = try #require(transaction.edit(ann))
                nonisolated(unsafe) let unsafeOwn = own
                let end = DispatchSemaphore(value: 0)
                DispatchQueue(label: "elsewhere").async {
                    _ = transaction.create(Into<Person>())
                    _ = transaction.edit(unsafeAnn)
                    transaction.delete(unsafeOwn)
                    end.signal()
                }
                end.wait()
                try transaction.cancel()
            })
        }
        for operation in ["create", "edit", "delete"] {
            #expect(recording.assertions.contains("'\(operation)' was called outside the transaction's queue."))
        }
        #expect(ann.name == "Ann")
        #expect(try test.stack.fetchCount(From<Person>()) == 2)
    }

    @Test(.pins("TX-21"), arguments: TestBackend.allCases)
    func `objects of an ended transaction cannot be changed`(
        _ backend: TestBackend
    ) throws {
        let (test, ann, _) = try make(backend)
        var left: [Person] = []
        try test.stack.perform(synchronous: { transaction in
            left = [try #require(transaction.edit(ann)), transaction.create(Into<Person>())]
            for person in left { person.age = 40 }
        })
        let eve = try #require(test.stack.fetchExisting(left[1]))
        let saved = RecordingLogger.record("'Person' cannot be changed, ") { for person in left { person.age = 99 } }
        let text = "'Person' cannot be changed, because its transaction or data stack has ended."
        #expect(saved.assertions == [text, text])
        #expect([ann.age, eve.age] + left.map(\.age) == [40, 40, 40, 40])
        #expect(try test.stack.fetchCount(From<Person>().where(\.$age == 40)) == 2)
        #expect(try test.stack.fetchCount(From<Person>().where(\.$age == 99)) == 0)
        _ = try? test.stack.perform(synchronous: { transaction in
            left = [try #require(transaction.edit(ann)), transaction.create(Into<Person>())]
            for person in left { person.age = 41 }
            try transaction.cancel()
        })
        let cancelled = RecordingLogger.record("'Person' cannot be changed, ") {
            for person in left { person.age = 99 }
        }
        #expect(cancelled.assertions == [text, text])
        #expect([ann.age] + left.map(\.age) == [40, 41, 41])
    }

    @Test(.pins("STO-26"), arguments: TestBackend.allCases)
    func `A7 objects keep their values after the stores are removed`(_ backend: TestBackend) async throws {
        let (test, ann, bob) = try make(backend)
        let unsafe = test.stack.beginUnsafe()
        let own = try #require(unsafe.edit(ann))
        own.name = "Eve"
        await withCheckedContinuation { continuation in
            test.stack.unsafeRemoveAllPersistentStores {
                #expect(DispatchQueue.isMain)
                continuation.resume()
            }
        }
        #expect(ann.name == "Ann")
        #expect(ann.team.isEmpty)
        #expect(bob.boss == nil)
        #expect(own.name == "Eve")
        #expect(throws: CoreStoreError.persistentStoreNotFound(entity: Person.self)) {
            try test.stack.fetchAll(From<Person>())
        }
        let error = #expect(throws: CoreStoreError.self) { try unsafe.commitAndWait() }
        #expect(error?.storageError?.code == .closed)
        test.stack.unsafeRemoveAllPersistentStoresAndWait()
    }

    @Test(.pins("STO-26"), arguments: TestBackend.allCases)
    func `A7 objects and transactions can be used after the stack is deallocated`(_ backend: TestBackend) throws {
        var test: TestStack?
        let (made, ann, bob) = try make(backend)
        test = made
        let unsafe = made.stack.beginUnsafe()
        weak let stack = made.stack
        let own = try #require(unsafe.edit(ann))
        own.age = 3
        _ = consume made
        test = nil
        #expect(test == nil)
        #expect(stack == nil)
        #expect(ann.name == "Ann")
        #expect(ann.team.isEmpty)
        #expect(ann.fetchSource() == nil)
        #expect(bob.boss == nil)
        ann.refreshAsFault()
        #expect(own.age == 3)
        #expect(throws: CoreStoreError.unknown) { try unsafe.commitAndWait() }
        let child = unsafe.beginUnsafe()
        #expect(!child.hasChanges)
        let none: [Person] = unsafe.fetchExisting([bob.objectID()])
        #expect(none.isEmpty)
    }

    @Test(.pins("STO-26"), arguments: TestBackend.persistent)
    func `stores are removed after all earlier transactions, and the call does not wait`(
        _ backend: TestBackend
    ) async throws {
        let (test, ann, _) = try make(backend)
        let (stack, id) = (test.stack, ann.objectID())
        let lines = Locked<[String]>([])
        let gate = DispatchSemaphore(value: 0)
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            stack.perform(
                asynchronous: { transaction in
                    gate.wait()
                    transaction.edit(Into<Person>(), id)?.name = "Eve"
                },
                success: { _ in lines.withLock { $0.append("saved") } },
                failure: { error in lines.withLock { $0.append(error.description) } })
            stack.unsafeRemoveAllPersistentStores {
                lines.withLock { $0.append("removed") }
                continuation.resume()
            }
            lines.withLock { $0.append("returned") }
            gate.signal()
        }
        #expect(lines.withLock { $0 } == ["returned", "saved", "removed"])
        #expect(throws: CoreStoreError.persistentStoreNotFound(entity: Person.self)) {
            try stack.fetchCount(From<Person>())
        }
        try test.addStore(configuration: nil)
        let again: Person = try #require(stack.fetchExisting(id))
        #expect(again.name == "Eve")
    }

    @Test(.pins("STO-26"), arguments: TestBackend.allCases)
    func `a store that was removed can be added again`(_ backend: TestBackend) throws {
        guard backend != .memory else { return }
        let (test, ann, _) = try make(backend)
        let id = ann.objectID()
        test.stack.unsafeRemoveAllPersistentStoresAndWait()
        try test.addStore(configuration: nil)
        let again: Person = try #require(test.stack.fetchExisting(id))
        #expect(again.name == "Ann")
        #expect(again !== ann)
        try test.stack.perform(synchronous: { $0.edit(again)?.name = "Eve" })
        #expect(again.name == "Eve")
        #expect(again.team.count == 1)
    }
}
