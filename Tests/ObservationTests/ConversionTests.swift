import Coffer
import Foundation
import TestSupport
import Testing

private typealias Person = Town.Person
private typealias Pet = Town.Pet

/// Object, monitor, publisher and snapshot convert to each other.
@MainActor
struct ConversionTests {
    /// Returns a town with Ann, 40, her dog Rex and her friend Bob.
    private func town(_ backend: TestBackend) throws -> (TestStack, Person) {
        let test = try Town.filled(backend, ["Ann": 40, "Bob": 30])
        try test.stack.perform(synchronous: { transaction in
            let ann = try transaction.fetchOne(From<Person>().where(\.$name == "Ann"))
            let bob = try transaction.fetchOne(From<Person>().where(\.$name == "Bob"))
            let rex = transaction.create(Into<Pet>())
            rex.name = "Rex"
            rex.master = ann
            ann?.friends = bob.map { [$0] } ?? []
        })
        return (test, try #require(try test.person("Ann")))
    }

    /// The conversions of one representation.
    private struct Conversions {
        let id: ObjectID
        let readOnly: (DataStack) -> Person?
        let editable: (BaseDataTransaction) -> Person?
        let publisher: (DataStack) -> ObjectPublisher<Person>
        let snapshot: (DataStack) -> ObjectSnapshot<Person>?
        let pending: (BaseDataTransaction) -> ObjectSnapshot<Person>?

        init<R: ObjectRepresentation>(_ representation: R) where R.ObjectType == Person {
            id = representation.objectID()
            readOnly = { representation.asReadOnly(in: $0) }
            editable = { representation.asEditable(in: $0) }
            publisher = { representation.asPublisher(in: $0) }
            snapshot = { representation.asSnapshot(in: $0) }
            pending = { representation.asSnapshot(in: $0) }
        }

        init(object: Person) {
            id = object.objectID()
            readOnly = { object.asReadOnly(in: $0) }
            editable = { object.asEditable(in: $0) }
            publisher = { object.asPublisher(in: $0) }
            snapshot = { object.asSnapshot(in: $0) }
            pending = { object.asSnapshot(in: $0) }
        }
    }

    /// Converts one representation to all others, in a stack and in a transaction.
    private func check(_ conversions: Conversions, _ ann: Person, _ stack: DataStack) throws {
        #expect(conversions.id == ann.objectID())
        #expect(conversions.readOnly(stack) === ann)
        #expect(conversions.publisher(stack) === stack.publishObject(ann))
        #expect(conversions.snapshot(stack)?.$age == 40)
        #expect(throws: CoreStoreError.userCancelled) {
            try stack.perform(synchronous: { transaction in
                let editable = try #require(conversions.editable(transaction))
                #expect(editable !== ann && editable.objectID() == ann.objectID())
                editable.age = 41
                #expect(conversions.pending(transaction)?.$age == 41)
                #expect(conversions.pending(transaction)?.$label == "Ann (41)")
                #expect(conversions.editable(transaction) === editable)
                try transaction.cancel()
            })
        }
        #expect(ann.age == 40)
    }

    /// Converts one representation of a deleted object.
    private func checkGone(_ conversions: Conversions, _ stack: DataStack) throws {
        #expect(conversions.readOnly(stack) == nil)
        #expect(conversions.snapshot(stack) == nil)
        #expect(conversions.publisher(stack).object == nil)
        try stack.perform(synchronous: { transaction in
            #expect(conversions.editable(transaction) == nil)
            #expect(conversions.pending(transaction) == nil)
        })
    }

    @Test(.pins("OBS-80"), arguments: TestBackend.allCases)
    func `each representation converts to each other, and to nil once the row is deleted`(
        _ backend: TestBackend
    ) throws {
        let (test, ann) = try town(backend)
        let stack = test.stack
        let monitor = stack.monitorObject(ann)
        let publisher = stack.publishObject(ann)
        let snapshot = try #require(ann.asSnapshot(in: stack))
        let all = [
            Conversions(object: ann), Conversions(monitor), Conversions(publisher), Conversions(snapshot),
        ]
        for each in all { try check(each, ann, stack) }
        try test.delete("Ann")
        for each in all { try checkGone(each, stack) }
        #expect(snapshot.$age == 40)
    }

    @Test(.pins("OBS-80"), arguments: TestBackend.allCases)
    func `a conversion without an argument uses the object's context, and is nil if detached`(
        _ backend: TestBackend
    ) throws {
        let (test, ann) = try town(backend)
        #expect(ann.asPublisher() === test.stack.publishObject(ann) && ann.asSnapshot()?.$age == 40)
        var left: Person?
        try test.stack.perform(synchronous: { transaction in
            left = transaction.edit(ann)
            left?.age = 41
            #expect(left?.asSnapshot()?.$age == 41)
            #expect(left?.asPublisher() === test.stack.publishObject(ann))
        })
        #expect(left?.asSnapshot() == nil && left?.asPublisher() == nil)
        #expect(ann.asSnapshot()?.$age == 41)
    }

    @Test(.pins("OBS-72"), arguments: TestBackend.allCases)
    func `the fields of a publisher have the values of the live object`(_ backend: TestBackend) throws {
        let (test, ann) = try town(backend)
        let publisher = test.stack.publishObject(ann)
        let name: String? = publisher.$name
        let city: String?? = publisher.$city
        let label: String? = publisher.$label
        let mood: Town.Mood? = publisher.$mood
        #expect(name == "Ann" && city == .some(.none) && label == "Ann (40)" && mood == Town.Mood())
        #expect(publisher.$title == "The ")
        try test.edit("Ann") { ($0.age, $0.city) = (50, "Oslo") }
        #expect(publisher.$age == ann.age && publisher.$age == 50 && publisher.$city == "Oslo")
        // Changes that are pending in a transaction are not shown.
        let draft = test.stack.beginUnsafe()
        draft.edit(ann)?.age = 60
        #expect(publisher.$age == 50)
    }

    @Test(.pins("OBS-72"), arguments: TestBackend.allCases)
    func `a publisher's relationships are publishers`(_ backend: TestBackend) throws {
        let (test, ann) = try town(backend)
        let publisher = test.stack.publishObject(ann)
        let bob = try #require(try test.person("Bob"))
        let rex = try #require(try test.stack.fetchOne(From<Pet>()))
        let pets: Set<ObjectPublisher<Pet>>? = publisher.$pets
        let friends: [ObjectPublisher<Person>]? = publisher.$friends
        #expect(pets == [test.stack.publishObject(rex)] && friends == [test.stack.publishObject(bob)])
        let master: ObjectPublisher<Person>?? = test.stack.publishObject(rex).$master
        #expect(master == .some(.some(publisher)))
        try test.delete("Ann")
        #expect(publisher.$pets == nil && publisher.$friends == nil && publisher.$name == nil)
    }

    @Test(.pins("OBS-72"), arguments: TestBackend.allCases)
    func `all properties of a publisher without observers are nil after its object is deleted`(
        _ backend: TestBackend
    ) throws {
        let (test, ann) = try town(backend)
        let publisher = test.stack.publishObject(ann)
        #expect(publisher.object === ann && publisher.$age == 40)
        try test.delete("Ann")
        #expect(publisher.object == nil && publisher.$age == nil && publisher.$pets == nil)
        #expect(publisher.snapshot == nil)
    }

    @Test(.pins("OBS-72"), arguments: TestBackend.allCases)
    func `a publisher's fields are read on the view queue`(_ backend: TestBackend) throws {
        final class Sparrow: CoreStoreObject {
            @Field.Stored("age") var age: Int = 7
        }
        let schema = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Sparrow>("Sparrow")])
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { _ = $0.create(Into<Sparrow>()) })
        let sparrow = try #require(try test.stack.fetchOne(From<Sparrow>()))
        nonisolated(unsafe) let publisher = test.stack.publishObject(sparrow)
        #expect(publisher.$age == 7)
        let log = RecordingLogger.record("'Sparrow'") {
            DispatchQueue(label: "elsewhere").sync { _ = publisher.$age }
        }
        #expect(!log.assertions.isEmpty)
    }
}
