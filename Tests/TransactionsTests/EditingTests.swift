import Coffer
import Foundation
import TestSupport
import Testing

private class Animal: CoreStoreObject {
    @Field.Stored("species") var species: String = "animal"
    @Field.Stored("legs") var legs: Int = 4
}

private final class Cat: Animal {
    @Field.Stored("tag", dynamicInitialValue: { UUID().uuidString }) var tag: String
}

private final class Stone: CoreStoreObject {
    @Field.Stored("weight") var weight: Double = 1
}

private let schema = CoreStoreSchema(
    modelVersion: "V1",
    entities: [Entity<Animal>("EditedAnimal"), Entity<Cat>("EditedCat"), Entity<Stone>("EditedStone")]
)

private nonisolated(unsafe) let infoKey = UnsafeRawPointer(UnsafeMutablePointer<UInt8>.allocate(capacity: 1))

@MainActor
struct EditingTests {
    @Test(.pins("TX-20"), arguments: TestBackend.allCases)
    func `a new object has default values, initial values and a permanent id`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        let created = try test.stack.perform(synchronous: { transaction in
            let cat = transaction.create(Into<Cat>())
            let other = transaction.create(Into<Cat>())
            #expect(cat.species == "animal")
            #expect(cat.legs == 4)
            #expect(UUID(uuidString: cat.tag) != nil)
            #expect(cat.tag != other.tag)
            #expect(!cat.objectID().isTemporaryID)
            let found: Cat? = transaction.fetchExisting(cat.objectID())
            #expect(found === cat)
            return (id: cat.objectID(), tag: cat.tag)
        })
        let cat: Cat = try #require(test.stack.fetchExisting(created.id))
        #expect(cat.objectID() == created.id)
        #expect(cat.tag == created.tag)
    }

    @Test(.pins("TX-22"), arguments: TestBackend.allCases)
    func `edit returns the transaction's object for the same row`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { $0.create(Into<Cat>()).species = "cat" })
        let cat = try #require(try test.stack.fetchOne(From<Cat>()))
        try test.stack.perform(synchronous: { transaction in
            let none: Cat? = nil
            #expect(transaction.edit(none) == nil)
            let own = try #require(transaction.edit(cat))
            #expect(own !== cat)
            #expect(own.objectID() == cat.objectID())
            #expect(transaction.edit(own) === own)
            #expect(transaction.edit(cat) === own)
            let asAnimal: Animal? = transaction.edit(cat as Animal)
            #expect(asAnimal === own)
            own.legs = 3
            #expect(cat.legs == 4)
        })
        #expect(cat.legs == 3)
    }

    @Test(.pins("TX-22"), arguments: TestBackend.allCases)
    func `editing an object that was deleted or never saved returns nil and logs one error`(
        _ backend: TestBackend
    ) throws {
        let test = try TestStack(backend, schema)
        let unsafe = test.stack.beginUnsafe()
        let unsaved = unsafe.create(Into<Animal>())
        let id = try test.stack.perform(synchronous: { $0.create(Into<Animal>()).objectID() })
        let gone: Animal = try #require(test.stack.fetchExisting(id))
        try test.stack.perform(synchronous: { $0.delete(gone) })
        for object in [unsaved, gone] {
            let name = object.objectID().description
            let recording = try RecordingLogger.record(name) {
                try test.stack.perform(synchronous: { #expect($0.edit(object) == nil) })
            }
            #expect(
                recording.entries == [
                    .error(.internalError, "\(name) was not found. It was deleted or never saved.")
                ])
        }
    }

    @Test(.pins("TX-22"), arguments: TestBackend.allCases)
    func `an object that the transaction deleted cannot be edited or changed`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        let unsafe = test.stack.beginUnsafe()
        let cat = unsafe.create(Into<Cat>())
        try unsafe.commitAndWait()
        unsafe.delete(cat)
        let name = cat.objectID().description
        let recording = RecordingLogger.record(name) {
            #expect(unsafe.edit(cat) == nil)
            #expect(unsafe.edit(Into<Cat>(), cat.objectID()) == nil)
            cat.legs = 9
        }
        #expect(cat.legs == 4)
        #expect(
            recording.entries == [
                .error(.internalError, "\(name) was not found. It was deleted or never saved."),
                .message(.warning, "\(name) was changed after it was deleted. The change is dropped."),
            ])
    }

    @Test(.pins("TX-23"), arguments: TestBackend.allCases)
    func `editing by id returns nil and logs nothing if the object does not exist`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        let other = try TestStack(backend, schema)
        let id = try test.stack.perform(synchronous: { $0.create(Into<Cat>()).objectID() })
        let foreign = try other.stack.perform(synchronous: { $0.create(Into<Cat>()).objectID() })
        let recording = try RecordingLogger.record("EditedAnimal") {
            try test.stack.perform(synchronous: { transaction in
                transaction.edit(Into<Cat>(), id)?.legs = 2
                #expect(transaction.edit(Into<Cat>(), foreign) == nil)
                #expect(transaction.edit(Into<Stone>(), id) == nil)
                #expect(transaction.edit(Into<Animal>(), id)?.legs == 2)
                transaction.delete(objectIDs: [id])
                #expect(transaction.edit(Into<Cat>(), id) == nil)
            })
        }
        #expect(recording.entries.isEmpty)
    }

    @Test(.pins("TX-31"), arguments: TestBackend.allCases)
    func `a transaction has user info and its own context`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { transaction in
            transaction.userInfo[infoKey] = "note"
            #expect(transaction.userInfo[infoKey] as? String == "note")
            let cat = transaction.create(Into<Cat>())
            #expect(transaction.unsafeContext() == transaction.unsafeContext())
            #expect(transaction.unsafeContext() != test.stack.unsafeContext())
            #expect(cat.fetchSource() === transaction)
            #expect(cat.querySource() === transaction)
        })
    }
}
