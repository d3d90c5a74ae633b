import Coffer
import TestSupport
import Testing

private final class Person: CoreStoreObject {
    @Field.Stored("name") var name: String = ""
    @Field.Stored("age") var age: Int = 0
    @Field.Stored("email") var email: String?
    @Field.Relationship("boss") var boss: Person?
    @Field.Relationship("team", inverse: \.$boss) var team: Set<Person>
    @Field.Relationship("friends", inverse: \.$friendOf) var friends: Set<Person>
    @Field.Relationship("friendOf") var friendOf: Set<Person>
}

private let schema = CoreStoreSchema(
    modelVersion: "V1", entities: [Entity<Person>("Person", uniqueConstraints: [[\Person.$email]])]
)

/// Two transactions that change the same rows.
@MainActor
struct ConflictTests {
    private func make(_ backend: TestBackend) throws -> (test: TestStack, ann: Person, bob: Person) {
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { transaction in
            transaction.create(Into<Person>()).name = "Ann"
            transaction.create(Into<Person>()).name = "Bob"
        })
        let people = try test.stack.fetchAll(From<Person>().orderBy(.ascending(\.$name)))
        return (test, people[0], people[1])
    }

    @Test(.pins("TX-46", "TX-11"), arguments: TestBackend.allCases)
    func `changes of different properties by two transactions are both saved`(_ backend: TestBackend) throws {
        let (test, ann, _) = try make(backend)
        let (one, two) = (test.stack.beginUnsafe(), test.stack.beginUnsafe())
        let (first, second) = (try #require(one.edit(ann)), try #require(two.edit(ann)))
        first.name = "Anna"
        second.age = 30
        try one.commitAndWait()
        try two.commitAndWait()
        #expect(ann.name == "Anna")
        #expect(ann.age == 30)
        #expect(second.name == "Anna")
        first.email = "a@example.org"
        try one.commitAndWait()
        #expect(first.age == 30)
        test.stack.refreshAndMergeAllObjects()
        #expect([ann.name, "\(ann.age)", ann.email] == ["Anna", "30", "a@example.org"])
    }

    @Test(.pins("TX-46"), arguments: TestBackend.allCases)
    func `concurrent changes of the same object log nothing`(_ backend: TestBackend) throws {
        final class Quail: CoreStoreObject {
            @Field.Stored("name") var name: String = ""
            @Field.Stored("age") var age: Int = 0
        }
        let test = try TestStack(
            backend, CoreStoreSchema(modelVersion: "V1", entities: [Entity<Quail>("Quail")]))
        let id = try test.stack.perform(synchronous: { $0.create(Into<Quail>()).objectID() })
        let recording = try RecordingLogger.record("Quail") {
            let (one, two) = (test.stack.beginUnsafe(), test.stack.beginUnsafe())
            let first = try #require(one.edit(Into<Quail>(), id))
            let second = try #require(two.edit(Into<Quail>(), id))
            (first.name, first.age, second.name) = ("first", 3, "second")
            try one.commitAndWait()
            try two.commitAndWait()
            try test.stack.perform(synchronous: { $0.edit(Into<Quail>(), id)?.name += " third" })
        }
        #expect(recording.entries == [])
        let quail: Quail = try #require(test.stack.fetchExisting(id))
        #expect(quail.name == "second third" && quail.age == 3)
    }

    @Test(.pins("TX-11"), arguments: TestBackend.allCases)
    func `the last writer of one property wins`(_ backend: TestBackend) throws {
        let (test, ann, _) = try make(backend)
        let unsafe = test.stack.beginUnsafe()
        let own = try #require(unsafe.edit(ann))
        own.name = "last"
        for name in ["first", "second", "third"] {
            try test.stack.perform(synchronous: { $0.edit(ann)?.name = name })
            #expect(ann.name == name)
        }
        try unsafe.commitAndWait()
        #expect(ann.name == "last")
        try test.stack.perform(synchronous: { $0.edit(ann)?.name = "fourth" })
        #expect(ann.name == "fourth")
        #expect(own.name == "last")
    }

    @Test(.pins("TX-46"), arguments: TestBackend.allCases)
    func `changing a row that another transaction deleted is a conflict, and the rest can be saved`(
        _ backend: TestBackend
    ) throws {
        let (test, ann, bob) = try make(backend)
        let unsafe = test.stack.beginUnsafe()
        let own = try #require(unsafe.edit(ann))
        own.name = "Anna"
        unsafe.edit(bob)?.age = 9
        try test.stack.perform(synchronous: { $0.delete(ann) })
        let error = #expect(throws: CoreStoreError.self) { try unsafe.commitAndWait() }
        #expect(error?.storageError?.code == .conflict)
        #expect(error?.storageError?.operation == "save")
        let text = "'Person' \(ann.objectID().key) was deleted by another transaction"
        #expect(error?.storageError?.message.contains(text) == true)
        #expect(bob.age == 0)
        #expect(unsafe.hasChanges)
        unsafe.delete(own)
        try unsafe.commitAndWait()
        #expect(bob.age == 9)
        #expect(try test.stack.fetchCount(From<Person>()) == 1)
    }

    @Test(.pins("TX-46"), arguments: TestBackend.allCases)
    func `deleting an object that another transaction deleted is no conflict`(_ backend: TestBackend) throws {
        let (test, ann, _) = try make(backend)
        let unsafe = test.stack.beginUnsafe()
        unsafe.delete(ann)
        try test.stack.perform(synchronous: { $0.delete(ann) })
        try unsafe.commitAndWait()
        #expect(try test.stack.fetchCount(From<Person>()) == 1)
    }

    @Test(.pins("TX-46"), arguments: TestBackend.allCases)
    func `a reference to a row that another transaction deleted is a conflict`(_ backend: TestBackend) throws {
        let (test, ann, bob) = try make(backend)
        let unsafe = test.stack.beginUnsafe()
        let own = try #require(unsafe.edit(bob))
        own.boss = unsafe.edit(ann)
        try test.stack.perform(synchronous: { $0.delete(ann) })
        let error = #expect(throws: CoreStoreError.self) { try unsafe.commitAndWait() }
        #expect(
            error?.description == "conflict: 'boss' of \(own.objectID()) references \(ann.objectID()), which another "
                + "transaction has deleted. Set the relationship again and repeat the transaction "
                + "(save, \(test.storeDescription)).")
        #expect(bob.boss == nil)
        own.boss = nil
        own.age = 3
        try unsafe.commitAndWait()
        #expect(bob.age == 3)
    }

    @Test(.pins("TX-46"), arguments: TestBackend.allCases)
    func `a deletion applies its delete rule to references that another transaction added`(
        _ backend: TestBackend
    ) throws {
        let (test, ann, bob) = try make(backend)
        let unsafe = test.stack.beginUnsafe()
        unsafe.delete(ann)
        try test.stack.perform(synchronous: { $0.edit(bob)?.boss = $0.edit(ann) })
        #expect(bob.boss === ann)
        try unsafe.commitAndWait()
        #expect(bob.boss == nil)
        #expect(try test.stack.fetchCount(From<Person>().where(\.$boss == nil)) == 1)
    }

    @Test(.pins("TX-46"), arguments: TestBackend.allCases)
    func `a many-to-many link to a row that another transaction deleted is dropped`(_ backend: TestBackend) throws {
        let (test, ann, bob) = try make(backend)
        let unsafe = test.stack.beginUnsafe()
        let own = try #require(unsafe.edit(bob))
        own.friends = [try #require(unsafe.edit(ann))]
        try test.stack.perform(synchronous: { $0.delete(ann) })
        try unsafe.commitAndWait()
        #expect(bob.friends.isEmpty)
        #expect(try test.stack.fetchCount(From<Person>().where((\Person.$friends).count() > 0)) == 0)
    }

    @Test(.pins("TX-46"), arguments: TestBackend.allCases)
    func `after a merge on commit, a new object and its id represent the surviving object`(
        _ backend: TestBackend
    ) throws {
        let (test, ann, _) = try make(backend)
        try test.stack.perform(synchronous: { $0.edit(ann)?.email = "a@example.org" })
        let unsafe = test.stack.beginUnsafe()
        let double = unsafe.create(Into<Person>())
        double.email = "a@example.org"
        double.name = "Anna"
        let id = double.objectID()
        try unsafe.commitAndWait()
        #expect(ann.name == "Anna")
        #expect(!double.isDeleted)
        #expect(double.objectID() == ann.objectID())
        let survivor: Person = try #require(unsafe.fetchExisting(id))
        #expect(survivor === double)
        #expect(unsafe.fetchExisting([id] as [ObjectID]) == [survivor])
        survivor.age = 8
        try unsafe.commitAndWait()
        #expect(ann.age == 8)
    }
}
