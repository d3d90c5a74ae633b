import Coffer
import Foundation
import TestSupport
import Testing

/// The pending changes of a transaction as sets of objects.
@MainActor
struct PendingSetTests {
    private final class Dog: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
        @Field.Relationship("owner") var owner: Owner?
    }

    private final class Owner: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
        @Field.Relationship("dogs", inverse: \.$owner) var dogs: Set<Dog>
        @Field.Relationship("friends", inverse: \.$friendOf) var friends: [Owner]
        @Field.Relationship("friendOf") var friendOf: Set<Owner>
    }

    private let schema = CoreStoreSchema(
        modelVersion: "V1", entities: [Entity<Dog>("PendingDog"), Entity<Owner>("PendingOwner")])

    /// Returns a stack with owners: Ann with Rex and the friends Bob and Cat, Bob with Ada, and Cat without dogs.
    private func make(_ backend: TestBackend) throws -> TestStack {
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { transaction in
            let owners = ["Ann", "Bob", "Cat"].map { name in
                let owner = transaction.create(Into<Owner>())
                owner.name = name
                return owner
            }
            for (name, owner) in [("Rex", owners[0]), ("Ada", owners[1])] {
                let dog = transaction.create(Into<Dog>())
                (dog.name, dog.owner) = (name, owner)
            }
            owners[0].friends = [owners[1], owners[2]]
        })
        return test
    }

    private func owner(_ name: String, _ source: any FetchableSource) throws -> Owner {
        try #require(try source.fetchOne(From<Owner>().where(\.$name == name)))
    }

    private func dog(_ name: String, _ source: any FetchableSource) throws -> Dog {
        try #require(try source.fetchOne(From<Dog>().where(\.$name == name)))
    }

    /// Returns the names of the updated objects, and checks that the updated ids belong to the same objects.
    private func updated(_ transaction: BaseDataTransaction) -> [String] {
        let (owners, dogs) = (transaction.updatedObjects(Owner.self), transaction.updatedObjects(Dog.self))
        let ids = (Set(owners.map { $0.objectID() }), Set(dogs.map { $0.objectID() }))
        #expect(transaction.updatedObjectIDs(Owner.self) == ids.0 && transaction.updatedObjectIDs(Dog.self) == ids.1)
        #expect(transaction.updatedObjectIDs() == ids.0.union(ids.1))
        return (owners.map(\.name) + dogs.map(\.name)).sorted()
    }

    @Test(.pins("TX-27"), arguments: TestBackend.allCases)
    func `updatedObjects contains both sides of a changed relationship`(_ backend: TestBackend) throws {
        let test = try make(backend)
        func changing(_ body: @escaping (BaseDataTransaction) throws -> Void) throws -> [String] {
            let draft = test.stack.beginUnsafe()
            try body(draft)
            return updated(draft)
        }
        #expect(try changing { try dog("Rex", $0).owner = owner("Cat", $0) } == ["Ann", "Cat", "Rex"])
        #expect(try changing { try dog("Rex", $0).owner = nil } == ["Ann", "Rex"])
        #expect(try changing { try owner("Cat", $0).dogs = [dog("Ada", $0)] } == ["Ada", "Bob", "Cat"])
        #expect(try changing { try owner("Cat", $0).friends = [owner("Bob", $0)] } == ["Bob", "Cat"])
        #expect(try changing { try owner("Bob", $0).friendOf = [] } == ["Ann", "Bob"])
        #expect(try changing { try owner("Ann", $0).friends.swapAt(0, 1) } == ["Ann"])
        #expect(try changing { $0.create(Into<Dog>()).owner = try owner("Cat", $0) } == ["Cat"])
        #expect(try changing { try $0.delete(dog("Rex", $0)) } == ["Ann"])
        #expect(try changing { try $0.delete(owner("Bob", $0)) } == ["Ada", "Ann"])
        #expect(try changing { _ in } == [])
    }

    @Test(.pins("TX-27"), arguments: TestBackend.allCases)
    func `updatedObjects contains no new or deleted objects`(_ backend: TestBackend) throws {
        let test = try make(backend)
        try test.stack.perform(synchronous: { transaction in
            let new = transaction.create(Into<Owner>())
            new.name = "New"
            new.friends = [try owner("Ann", transaction)]
            let rex = try dog("Rex", transaction)
            rex.name = "Max"
            transaction.delete(rex)
            #expect(transaction.insertedObjects(Owner.self) == [new])
            #expect(transaction.deletedObjects(Dog.self) == [rex] && transaction.deletedObjectIDs(Owner.self) == [])
            #expect(transaction.deletedObjectIDs(Dog.self) == [rex.objectID()])
            let names = updated(transaction)
            #expect(names == ["Ann"])
        })
    }

    @Test(.pins("TX-27"), arguments: TestBackend.allCases)
    func `reading pending changes on another queue fails an assertion`(_ backend: TestBackend) throws {
        let test = try make(backend)
        let text = "'changed objects' was called outside the transaction's queue."
        @Sendable func ask(_ transaction: BaseDataTransaction) {
            _ = transaction.insertedObjects(Owner.self)
            _ = (transaction.insertedObjectIDs(), transaction.insertedObjectIDs(Owner.self))
            _ = transaction.updatedObjects(Owner.self)
            _ = (transaction.updatedObjectIDs(), transaction.updatedObjectIDs(Owner.self))
            _ = transaction.deletedObjects(Owner.self)
            _ = (transaction.deletedObjectIDs(), transaction.deletedObjectIDs(Owner.self))
        }
        for isElsewhere in [false, true] {
            let recording = try RecordingLogger.record(text) {
                try test.stack.perform(synchronous: { transaction in
                    guard isElsewhere else { return ask(transaction) }
                    nonisolated(unsafe) let given = transaction
                    let done = DispatchSemaphore(value: 0)
                    Thread.detachNewThread {
                        ask(given)
                        done.signal()
                    }
                    done.wait()
                })
            }
            #expect(recording.assertions == Array(repeating: text, count: isElsewhere ? 9 : 0))
        }
    }

    @Test(.pins("TX-27"), arguments: TestBackend.allCases)
    func `reading pending changes of an ended transaction fails an assertion`(_ backend: TestBackend) throws {
        let test = try make(backend)
        var ended: SynchronousDataTransaction?
        try test.stack.perform(synchronous: { transaction in
            ended = transaction
            try owner("Ann", transaction).name = "Zoe"
        })
        let over = try #require(ended)
        let recording = RecordingLogger.record("'changed objects' was called on a finished transaction") {
            _ = over.insertedObjects(Owner.self)
            _ = over.updatedObjectIDs()
            _ = over.deletedObjectIDs(Owner.self)
        }
        #expect(recording.assertions.count == 3)
        let draft = test.stack.beginUnsafe()
        try owner("Zoe", draft).friends = []
        #expect(updated(draft) == ["Bob", "Cat", "Zoe"])
        try draft.commitAndWait()
        #expect(updated(draft) == [])
    }
}
