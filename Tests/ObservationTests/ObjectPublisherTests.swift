import Coffer
import CofferStorage
import TestSupport
import Testing

private typealias Person = Town.Person

@MainActor
struct ObjectPublisherTests {
    final class Owner {}
    private let owner = Owner()

    @Test(.pins("OBS-70"), arguments: TestBackend.allCases)
    func `an object has only one publisher while the publisher is referenced`(_ backend: TestBackend) throws {
        let test = try Town.filled(backend, ["Ann": 1, "Bob": 2])
        let ann = try #require(try test.person("Ann"))
        let publisher = test.stack.publishObject(ann)
        let again: ObjectPublisher<Person> = test.stack.publishObject(ann.objectID())
        #expect(again === publisher)
        let list = test.stack.publishList(From<Person>().orderBy(.ascending(\.$name)))
        #expect(list.snapshot[0] === publisher)
        #expect(publisher != list.snapshot[1])
        #expect(publisher.objectID() == ann.objectID() && publisher.cs_dataStack() === test.stack)
        weak var weakPublisher: ObjectPublisher<Person>?
        do {
            let other = list.snapshot[1]
            weakPublisher = other
        }
        #expect(weakPublisher == nil)
        #expect(Set([publisher, list.snapshot[0]]).count == 1)
    }

    @Test(.pins("OBS-71", "OBS-72"), arguments: TestBackend.allCases)
    func `a publisher shows the current object, and nil after its deletion`(
        _ backend: TestBackend
    ) throws {
        let test = try Town.filled(backend, ["Ann": 1])
        let publisher = test.stack.publishObject(try #require(try test.person("Ann")))
        let first = publisher.snapshot
        #expect(first?.$age == 1 && publisher.$age == 1 && publisher.$label == "Ann (1)")
        #expect(publisher.snapshot == first)
        try test.edit("Ann") { ($0.age, $0.city, $0.mood) = (2, "Rome", .init(colour: "red")) }
        #expect(publisher.$age == 2 && publisher.snapshot?.$age == 2 && first?.$age == 1)
        #expect(publisher.$city == "Rome" && publisher.$mood?.colour == "red" && publisher.$title == "The ")
        #expect(publisher.$pets == [] && publisher.isDeleted == false)
        try test.delete("Ann")
        #expect(publisher.object == nil && publisher.snapshot == nil && publisher.$age == nil)
    }

    @Test(.pins("OBS-71"), arguments: TestBackend.allCases)
    func `a publisher reads nothing before its first access, and then follows the object`(
        _ backend: TestBackend
    ) throws {
        let probed = try ProbedStack(backend, Town.schema)
        func edit(_ id: ObjectID, _ age: Int) throws {
            try probed.stack.perform(synchronous: { try #require($0.edit(Into<Person>(), id)).age = age })
        }
        let ids = try probed.stack.perform(synchronous: { transaction in
            (0..<2).map { _ in transaction.create(Into<Person>()).objectID() }
        })
        _ = probed.store.takeRequests()
        let publishers = ids.map { id -> ObjectPublisher<Person> in probed.stack.publishObject(id) }
        #expect(probed.store.takeRequests() == [])
        for id in ids { try edit(id, 2) }
        #expect(publishers[0].snapshot?.$age == 2)
        try edit(ids[0], 3)
        #expect(publishers[0].snapshot?.$age == 3)
        // If a publisher has no snapshot, its first observer makes it follow the object.
        var told: [Int?] = []
        publishers[1].addObserver(owner) { told.append($0.snapshot?.$age) }
        try edit(ids[1], 4)
        try probed.stack.perform(synchronous: { $0.delete(objectIDs: ids) })
        #expect(told == [4, nil])
        for publisher in publishers { #expect(publisher.snapshot == nil && publisher.object == nil) }
    }

    @Test(.pins("OBS-73"), arguments: TestBackend.allCases)
    func `observers are called after each commit of the object, with its source`(_ backend: TestBackend) throws {
        let test = try Town.filled(backend, ["Ann": 1, "Bob": 2])
        let publisher = test.stack.publishObject(try #require(try test.person("Ann")))
        var told: [String] = []
        publisher.addObserver(owner, notifyInitial: true, initialSourceIdentifier: "first") { publisher, source in
            told.append("\(publisher.snapshot.map { String($0.$age) } ?? "nil") \(source ?? "-")")
        }
        try test.edit("Ann", source: "second") { $0.age = 2 }
        try test.edit("Bob", source: "Bob") { $0.age = 7 }
        try test.delete("Ann", source: "third")
        #expect(told == ["1 first", "2 second", "nil third"])
        publisher.removeObserver(owner)
    }

    @Test(.pins("OBS-74"), arguments: TestBackend.allCases)
    func `the object of a publisher stays nil if it did not exist at the first access`(_ backend: TestBackend) throws {
        let test = try Town.filled(backend, ["Ann": 1])
        var id = try #require(try test.person("Ann")).objectID()
        let early = test.stack.publishObject(id) as ObjectPublisher<Person>
        #expect(early.object === (try test.person("Ann")))
        let draft = test.stack.beginUnsafe()
        let bob = draft.create(Into<Person>())
        id = bob.objectID()
        let publisher: ObjectPublisher<Person> = test.stack.publishObject(id)
        #expect(publisher.object == nil)
        try draft.commitAndWait()
        #expect(publisher.object == nil && publisher.snapshot != nil)
    }
}
