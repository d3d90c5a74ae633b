import Coffer
import TestSupport
import Testing

private class Animal: CoreStoreObject {
    @Field.Stored("name") var name: String = ""
    @Field.Relationship("owner") var owner: Owner?
}

private final class Dog: Animal {}

private final class Owner: CoreStoreObject {
    @Field.Stored("name") var name: String = ""
    @Field.Relationship("animals", inverse: \.$owner, deleteRule: .cascade) var animals: Set<Animal>
}

private let schema = CoreStoreSchema(
    modelVersion: "V1", entities: [Entity<Animal>("Animal"), Entity<Dog>("Dog"), Entity<Owner>("Owner")]
)

@MainActor
struct DeletingTests {
    /// Returns a stack with Ann's dogs Rex and Bello, and a stray without a name.
    private func make(_ backend: TestBackend) throws -> TestStack {
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { transaction in
            let ann = transaction.create(Into<Owner>())
            ann.name = "Ann"
            for name in ["Rex", "Bello"] {
                let dog = transaction.create(Into<Dog>())
                dog.name = name
                dog.owner = ann
            }
            _ = transaction.create(Into<Animal>())
        })
        return test
    }

    private func names(_ source: any FetchableSource) throws -> [String] {
        try source.fetchAll(From<Animal>().orderBy(.ascending(\.$name))).map(\.name)
    }

    @Test(.pins("TX-24"), arguments: TestBackend.allCases)
    func `delete accepts objects of any context and ignores nil, unsaved and foreign objects`(
        _ backend: TestBackend
    ) throws {
        let test = try make(backend)
        let other = try make(backend)
        let dogs = try test.stack.fetchAll(From<Dog>().orderBy(.ascending(\.$name)))
        let foreign = try #require(try other.stack.fetchOne(From<Dog>()))
        let unsafe = test.stack.beginUnsafe()
        let unsaved = unsafe.create(Into<Dog>())
        let none: Dog? = nil
        let recording = try RecordingLogger.record("Animal") {
            try test.stack.perform(synchronous: { transaction in
                transaction.delete(none)
                transaction.delete(foreign, unsaved, nil)
                #expect(!transaction.hasChanges)
                let rex = try #require(transaction.edit(dogs[1]))
                transaction.delete(dogs[0], rex, rex, nil, dogs[0])
                transaction.delete([rex])
                transaction.delete(objectIDs: [dogs[0].objectID(), foreign.objectID()])
                #expect(transaction.deletedObjectIDs() == Set(dogs.map { $0.objectID() }))
            })
        }
        #expect(recording.entries.isEmpty)
        #expect(try names(test.stack) == [""])
        #expect(dogs.filter { !$0.isDeleted }.isEmpty)
        try test.stack.perform(synchronous: { $0.delete(dogs) })
        #expect(try names(other.stack) == ["", "Bello", "Rex"])
    }

    @Test(.pins("TX-24"), arguments: TestBackend.allCases)
    func `deleting objects that were deleted or never saved changes and logs nothing`(
        _ backend: TestBackend
    ) throws {
        let test = try make(backend)
        let dogs = try test.stack.fetchAll(From<Dog>().orderBy(.ascending(\.$name)))
        let gone = dogs[0]
        try test.stack.perform(synchronous: { $0.delete(gone) })
        var created: Dog?
        #expect(throws: CoreStoreError.userCancelled) {
            try test.stack.perform(synchronous: { transaction in
                created = transaction.create(Into<Dog>())
                try transaction.cancel()
            })
        }
        let never = try #require(created)
        let recording = try RecordingLogger.record("Animal#") {
            try test.stack.perform(synchronous: { transaction in
                transaction.delete(gone)
                transaction.delete(never)
                transaction.delete(gone, never, nil)
                transaction.delete([gone, never])
                transaction.delete(objectIDs: [gone.objectID(), never.objectID()])
                #expect(!transaction.hasChanges && transaction.deletedObjectIDs().isEmpty)
            })
        }
        #expect(recording.entries.isEmpty)
        #expect(try names(test.stack) == ["", "Rex"])
    }

    @Test(.pins("TX-25"), arguments: TestBackend.allCases)
    func `before the commit, fetches do not return deleted objects`(_ backend: TestBackend) throws {
        let test = try make(backend)
        try test.stack.perform(synchronous: { transaction in
            let rex = try #require(try transaction.fetchOne(From<Dog>().where(Where<Dog>("name", isEqualTo: "Rex"))))
            transaction.delete(rex)
            #expect(rex.isDeleted)
            #expect(rex.name == "Rex")
            #expect(transaction.hasChanges)
            let names = try names(transaction)
            #expect(names == ["", "Bello"])
            let count = try transaction.fetchCount(From<Dog>())
            #expect(count == 1)
            let ids = try transaction.fetchObjectIDs(From<Dog>())
            #expect(!ids.contains(rex.objectID()) && ids.count == 1)
            let existing: Dog? = transaction.fetchExisting(rex.objectID())
            #expect(existing == nil)
            let owner = try transaction.fetchOne(From<Owner>())
            #expect(owner?.animals.map(\.name) == ["Bello"])
        })
        #expect(try names(test.stack) == ["", "Bello"])
    }

    @Test(.pins("TX-25"), arguments: TestBackend.allCases)
    func `deleting an object created in the same transaction leaves no pending change`(_ backend: TestBackend) throws {
        let test = try make(backend)
        try test.stack.perform(synchronous: { transaction in
            let dog = transaction.create(Into<Dog>())
            #expect(transaction.hasChanges)
            transaction.delete(dog)
            #expect(!transaction.hasChanges)
            #expect(transaction.insertedObjects(Dog.self).isEmpty)
            #expect(transaction.deletedObjects(Dog.self).isEmpty)
        })
        #expect(try test.stack.fetchCount(From<Dog>()) == 2)
    }

    @Test(.pins("TX-25"), arguments: TestBackend.allCases)
    func `delete rules apply at once in the transaction, and to live objects after the commit`(
        _ backend: TestBackend
    ) throws {
        let test = try make(backend)
        let ann = try #require(try test.stack.fetchOne(From<Owner>()))
        let animals = ann.animals
        #expect(animals.count == 2)
        try test.stack.perform(synchronous: { transaction in
            transaction.delete(ann)
            #expect(transaction.deletedObjects(Animal.self).count == 2)
            #expect(transaction.deletedObjects(Owner.self).map(\.name) == ["Ann"])
            let names = try names(transaction)
            #expect(names == [""])
        })
        #expect(ann.isDeleted)
        #expect(animals.filter { !$0.isDeleted }.isEmpty)
        #expect(try names(test.stack) == [""])
    }

    @Test(.pins("FQ-06"), arguments: TestBackend.allCases)
    func `deleteAll deletes and counts all matching objects, including pending objects`(
        _ backend: TestBackend
    ) throws {
        let test = try make(backend)
        try test.stack.perform(synchronous: { transaction in
            transaction.create(Into<Dog>()).name = "Rex"
            let count = try transaction.deleteAll(From<Dog>(), Where<Dog>("name", isEqualTo: "Rex"))
            #expect(count == 2)
            let none = try transaction.deleteAll(From<Dog>().where(Where<Dog>("name", isEqualTo: "Rex")))
            #expect(none == 0)
            let rest = try transaction.deleteAll(From<Owner>(), [])
            #expect(rest == 1)
            let animals = try names(transaction)
            #expect(animals == [""])
        })
        #expect(try names(test.stack) == [""])
    }

    @Test(.pins("TX-26"), arguments: TestBackend.allCases)
    func `objectHasPersistentChangedValues compares values, and hasChanges counts every assignment`(
        _ backend: TestBackend
    ) throws {
        let test = try make(backend)
        try test.stack.perform(synchronous: { transaction in
            let rex = try #require(try transaction.fetchOne(From<Dog>().where(Where<Dog>("name", isEqualTo: "Rex"))))
            #expect(!transaction.hasChanges)
            rex.name = "Rex"
            #expect(transaction.hasChanges)
            #expect(!transaction.objectHasPersistentChangedValues(rex))
            rex.name = "Max"
            #expect(transaction.objectHasPersistentChangedValues(rex))
            rex.name = "Rex"
            #expect(!transaction.objectHasPersistentChangedValues(rex))
            rex.owner = nil
            #expect(transaction.objectHasPersistentChangedValues(rex))
            let new = transaction.create(Into<Dog>())
            #expect(transaction.objectHasPersistentChangedValues(new))
        })
    }

    @Test(.pins("TX-27"), arguments: TestBackend.allCases)
    func `insertedObjects, updatedObjects and deletedObjects accept base classes`(_ backend: TestBackend) throws {
        let test = try make(backend)
        try test.stack.perform(synchronous: { transaction in
            let dogs = try transaction.fetchAll(From<Dog>().orderBy(.ascending(\.$name)))
            let new = transaction.create(Into<Dog>())
            new.name = "New"
            dogs[0].name = "Changed"
            transaction.delete(dogs[1])
            #expect(transaction.insertedObjects(Animal.self) == [new])
            #expect(transaction.insertedObjects(Dog.self) == [new])
            #expect(transaction.insertedObjects(Owner.self) == [])
            #expect(transaction.insertedObjectIDs() == [new.objectID()])
            #expect(transaction.insertedObjectIDs(Animal.self) == [new.objectID()])
            #expect(transaction.insertedObjectIDs(Owner.self) == [])
            #expect(transaction.updatedObjects(Animal.self) == [dogs[0]])
            #expect(transaction.updatedObjectIDs(Dog.self) == [dogs[0].objectID()])
            // The deletion changes Ann, because it removes one of her dogs.
            let ann = try #require(try transaction.fetchOne(From<Owner>()))
            #expect(transaction.updatedObjects(Owner.self) == [ann])
            #expect(transaction.updatedObjectIDs() == [dogs[0].objectID(), ann.objectID()])
            #expect(transaction.deletedObjects(Animal.self) == [dogs[1]])
            #expect(transaction.deletedObjectIDs() == [dogs[1].objectID()])
            #expect(transaction.deletedObjectIDs(Owner.self) == [])
        })
    }
}
