import Coffer
import Dispatch
import TestSupport
import Testing

private final class Person: CoreStoreObject {
    @Field.Stored("name") var name: String = ""
    @Field.Stored("age") var age: Int = 0
    @Field.Relationship("boss") var boss: Person?
    @Field.Relationship("team", inverse: \.$boss) var team: Set<Person>
}

private let schema = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Person>("Person")])

@MainActor
struct UnsafeTests {
    @Test(.pins("TX-40"), arguments: TestBackend.allCases)
    func `an unsafe transaction can be committed repeatedly, and its objects stay valid`(
        _ backend: TestBackend
    ) throws {
        let test = try TestStack(backend, schema)
        let transaction = test.stack.beginUnsafe()
        #expect(!transaction.hasChanges)
        let ann = transaction.create(Into<Person>())
        ann.name = "Ann"
        #expect(transaction.hasChanges)
        #expect(try test.stack.fetchCount(From<Person>()) == 0)
        try transaction.commitAndWait()
        #expect(!transaction.hasChanges)
        let seen = try #require(try test.stack.fetchOne(From<Person>()))
        #expect(seen.name == "Ann")
        ann.name = "Eve"
        #expect(transaction.hasChanges)
        #expect(seen.name == "Ann")
        let bob = transaction.create(Into<Person>())
        bob.boss = ann
        try transaction.commitAndWait()
        #expect(seen.name == "Eve")
        #expect(seen.team.count == 1)
        transaction.delete(ann)
        try transaction.commitAndWait()
        #expect(seen.isDeleted)
        #expect(bob.boss == nil)
        #expect(transaction.fetchExisting(ann.objectID()) as Person? == nil)
        try transaction.commitAndWait()
        #expect(try test.stack.fetchCount(From<Person>()) == 1)
    }

    @Test(.pins("TX-40"), arguments: TestBackend.allCases)
    func `an unsafe transaction can be used from another thread`(_ backend: TestBackend) async throws {
        let test = try TestStack(backend, schema)
        let transaction = test.stack.beginUnsafe()
        transaction.create(Into<Person>()).name = "main"
        let names: [String] = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                transaction.create(Into<Person>()).name = "other"
                try? transaction.commitAndWait()
                let names = try? transaction.fetchAll(From<Person>().orderBy(.ascending(\.$name))).map(\.name)
                continuation.resume(returning: names ?? [])
            }
        }
        #expect(names == ["main", "other"])
        #expect(try test.stack.fetchCount(From<Person>()) == 2)
    }

    @Test(.pins("TX-41"), arguments: TestBackend.allCases)
    func `commit calls its completion on the view queue, where the stack shows the changes`(
        _ backend: TestBackend
    ) async throws {
        let test = try TestStack(backend, schema)
        let transaction = test.stack.beginUnsafe()
        let ann = transaction.create(Into<Person>())
        ann.name = "Ann"
        let stack = test.stack
        let seen: [String] = await withCheckedContinuation { continuation in
            transaction.commit { error in
                let names = try? stack.fetchAll(From<Person>()).map(\.name)
                continuation.resume(returning: (names ?? []) + ["\(error as Any)"])
            }
        }
        #expect(seen == ["Ann", "nil"])
        ann.name = "Eve"
        try transaction.commitAndWait()
        #expect(try test.stack.fetchOne(From<Person>())?.name == "Eve")
    }

    @Test(.pins("TX-41"), arguments: TestBackend.allCases)
    func `commits without changes and commits to a parent call the completion on the view queue`(
        _ backend: TestBackend
    ) async throws {
        let test = try TestStack(backend, schema)
        let parent = test.stack.beginUnsafe()
        let child = parent.beginUnsafe()
        func outcome(_ transaction: UnsafeDataTransaction) async -> String {
            await withCheckedContinuation { continuation in
                transaction.commit { error in
                    continuation.resume(returning: "\(error?.description ?? "saved") \(DispatchQueue.isMain)")
                }
            }
        }
        #expect(await outcome(parent) == "saved true")
        #expect(await outcome(child) == "saved true")
        child.create(Into<Person>()).name = "Ann"
        #expect(await outcome(child) == "saved true")
        #expect(!child.hasChanges && parent.hasChanges)
        #expect(try parent.fetchAll(From<Person>()).map(\.name) == ["Ann"])
        #expect(try test.stack.fetchCount(From<Person>()) == 0)
        #expect(await outcome(parent) == "saved true")
        #expect(try test.stack.fetchAll(From<Person>()).map(\.name) == ["Ann"])
    }

    @Test(.pins("TX-43"), arguments: TestBackend.allCases)
    func `flush runs its closure and rethrows the error of the closure`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        let transaction = test.stack.beginUnsafe(supportsUndo: true)
        transaction.flush { _ = transaction.create(Into<Person>()) }
        #expect(throws: Refusal()) {
            try transaction.flush {
                _ = transaction.create(Into<Person>())
                throw Refusal()
            }
        }
        #expect(transaction.insertedObjects(Person.self).count == 2)
        transaction.undo()
        #expect(transaction.insertedObjects(Person.self).count == 1)
        transaction.undo()
        #expect(transaction.insertedObjects(Person.self).isEmpty)
    }

    @Test(.pins("TX-43"), arguments: TestBackend.allCases)
    func `delete rules apply without a flush`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        let transaction = test.stack.beginUnsafe()
        let ann = transaction.create(Into<Person>())
        let bob = transaction.create(Into<Person>())
        bob.boss = ann
        try transaction.commitAndWait()
        transaction.delete(ann)
        #expect(bob.boss == nil)
        transaction.flush()
        #expect(bob.boss == nil)
    }

    @Test(.pins("TX-28"), arguments: TestBackend.allCases)
    func `refreshing shows saved changes of other transactions and keeps pending changes`(_ backend: TestBackend) throws
    {
        let test = try TestStack(backend, schema)
        let transaction = test.stack.beginUnsafe()
        let ann = transaction.create(Into<Person>())
        let bob = transaction.create(Into<Person>())
        let eve = transaction.create(Into<Person>())
        try transaction.commitAndWait()
        let ids = [ann, bob, eve].map { $0.objectID() }
        #expect(ann.team.isEmpty)
        try test.stack.perform(synchronous: { other in
            other.edit(Into<Person>(), ids[0])?.name = "Ann"
            other.edit(Into<Person>(), ids[0])?.age = 30
            other.edit(Into<Person>(), ids[1])?.boss = other.edit(Into<Person>(), ids[0])
            other.delete(objectIDs: [ids[2]])
        })
        ann.age = 31
        #expect(ann.name == "")
        transaction.refreshAndMergeAllObjects()
        #expect(ann.name == "Ann")
        #expect(ann.age == 31)
        #expect(ann.team == [bob])
        #expect(eve.isDeleted)
        try transaction.commitAndWait()
        let seen: Person = try #require(test.stack.fetchExisting(ids[0]))
        #expect(seen.age == 31)
        #expect(seen.team.count == 1)
    }

    @Test(.pins("TX-28"), arguments: TestBackend.allCases)
    func `refreshing a transaction shows the changes that an unsafe transaction saved`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        let id = try test.stack.perform(synchronous: { $0.create(Into<Person>()).objectID() })
        try test.stack.perform(synchronous: { transaction in
            let own = try #require(transaction.edit(Into<Person>(), id))
            own.age = 5
            let unsafe = test.stack.beginUnsafe()
            unsafe.edit(Into<Person>(), id)?.name = "Ann"
            try unsafe.commitAndWait()
            #expect(own.name == "")
            let before = try transaction.fetchCount(From<Person>().where(\.$name == "Ann"))
            #expect(before == 0)
            transaction.refreshAndMergeAllObjects()
            #expect(own.name == "Ann")
            #expect(own.age == 5)
        })
        let seen: Person = try #require(test.stack.fetchExisting(id))
        #expect([seen.name, "\(seen.age)"] == ["Ann", "5"])
    }

    @Test(.pins("TX-15"), arguments: TestBackend.allCases)
    func `refreshing the stack reads its objects again`(_ backend: TestBackend) throws {
        let probed = try ProbedStack(backend, schema)
        try probed.stack.perform(synchronous: { $0.create(Into<Person>()).name = "Ann" })
        let ann = try #require(try probed.stack.fetchOne(From<Person>()))
        #expect(ann.team.isEmpty)
        _ = probed.store.takeRequests()
        probed.stack.refreshAndMergeAllObjects()
        #expect(ann.name == "Ann")
        #expect(ann.team.isEmpty)
        #expect(probed.store.takeRequests() == ["1 rows Person", "related Person.team of 1"])
    }
}
