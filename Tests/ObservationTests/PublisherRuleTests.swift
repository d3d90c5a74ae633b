import Coffer
import CofferStorage
import Foundation
import TestSupport
import Testing

private typealias Person = Town.Person
private typealias Pet = Town.Pet

/// Rules of publishers and representations that other tests cover only in part.
@MainActor
struct PublisherRuleTests {
    private final class Owner {}
    private let owner = Owner()

    @Test(.pins("OBS-52"), arguments: TestBackend.allCases)
    func `a published list can change its class, and a failed refetch calls no observer`(
        _ backend: TestBackend
    ) throws {
        let test = try Town.filled(backend, ["Ann": 40])
        try test.stack.perform(synchronous: { $0.create(Into<Town.Mayor>()).name = "Eve" })
        let list = test.stack.publishList(From<Person>().orderBy(.ascending(\.$name)))
        var told: [String] = []
        list.addObserver(owner) { list, source in told.append("\(source ?? "-") \(list.snapshot.text)") }
        try list.refetch(From<Person>(Town.Mayor.self).orderBy(.ascending(\.$name)), sourceIdentifier: "mayors")
        #expect(told == ["mayors Eve"])
        try test.add("Bob", source: "Bob")
        #expect(told == ["mayors Eve"] && list.snapshot.text == "Eve")
        let before = list.snapshot
        let error = #expect(throws: CoreStoreError.self) {
            try list.refetch(From<Person>().where(format: "nothing == 1").orderBy(.ascending(\.$name)))
        }
        #expect(error?.storageError?.code == .invalidRequest)
        #expect(told == ["mayors Eve"] && list.snapshot == before)
        try list.refetch(From<Person>().orderBy(.descending(\.$name)))
        #expect(told.last == "- Eve Bob Ann")
    }

    @Test(.pins("OBS-56"), arguments: TestBackend.allCases)
    func `a snapshot names the items that its commit changed, moved or inserted, and reloaded items`(
        _ backend: TestBackend
    ) throws {
        let test = try Town.filled(backend, ["Ann": 40, "Bob": 10, "Cat": 30])
        let list = test.stack.publishList(From<Person>().orderBy(.ascending(\.$name)))
        func id(_ name: String) throws -> ObjectID { try #require(try test.person(name)).objectID() }
        let (ann, bob, cat) = (try id("Ann"), try id("Bob"), try id("Cat"))
        try test.edit("Ann") { $0.age = 41 }
        #expect(list.snapshot.updatedItemIdentifiers == [ann])
        try test.edit("Bob") { $0.name = "Zoe" }
        #expect(list.snapshot.updatedItemIdentifiers == [bob])
        try test.add("Dan")
        let dan = try id("Dan")
        #expect(list.snapshot.updatedItemIdentifiers == [dan])
        try test.delete("Ann")
        #expect(list.snapshot.updatedItemIdentifiers == [])
        try test.stack.perform(synchronous: { transaction in
            for person in try transaction.fetchAll(From<Person>().where(\.$name != "Zoe")) { person.age += 1 }
        })
        #expect(list.snapshot.updatedItemIdentifiers == [cat, dan])
        // A commit that does not change the list creates no snapshot.
        let before = list.snapshot
        try test.stack.perform(synchronous: { _ = $0.create(Into<Pet>()) })
        #expect(list.snapshot == before && list.snapshot.updatedItemIdentifiers == [cat, dan])
        var copy = list.snapshot
        copy.reloadItems(withIDs: [bob, ann])
        #expect(copy.updatedItemIdentifiers == [bob, cat, dan] && list.snapshot.updatedItemIdentifiers == [cat, dan])
    }

    @Test(.pins("OBS-73"), arguments: TestBackend.allCases)
    func `a publisher's observers are called when relationships change from the inverse`(
        _ backend: TestBackend
    ) throws {
        let test = try Town.filled(backend, ["Ann": 1, "Bob": 2])
        let publisher = test.stack.publishObject(try #require(try test.person("Ann")))
        var told: [String] = []
        publisher.addObserver(owner) { publisher, source in
            told.append("\(source ?? "-") \(publisher.snapshot?.$pets.count ?? -1)")
        }
        try test.stack.perform(
            synchronous: { transaction in
                transaction.create(Into<Pet>()).master = try transaction.fetchOne(
                    From<Person>().where(\.$name == "Ann"))
            }, sourceIdentifier: "dog")
        try test.edit("Bob", source: "Bob") { bob in
            bob.friends = (try? bob.fetchSource()?.fetchAll(From<Person>().where(\.$name == "Ann"))) ?? []
        }
        #expect(throws: CoreStoreError.userCancelled) {
            try test.stack.perform(
                synchronous: { transaction in
                    try transaction.fetchOne(From<Person>().where(\.$name == "Ann"))?.age = 9
                    try transaction.cancel()
                }, sourceIdentifier: "cancelled")
        }
        try test.edit("Ann") { $0.age = 7 }
        #expect(told == ["dog 1", "Bob 1", "- 1"])
    }

    @Test(.pins("TX-24", "OBS-81"), arguments: TestBackend.allCases)
    func `publishers, snapshots and monitors are deleted, and compared, like their objects`(
        _ backend: TestBackend
    ) throws {
        let test = try Town.filled(backend, ["Ann": 1, "Bob": 2, "Cat": 3, "Dan": 4, "Eve": 5])
        let stack = test.stack
        let people = try stack.fetchAll(From<Person>().orderBy(.ascending(\.$name)))
        try stack.perform(synchronous: { transaction in
            transaction.create(Into<Pet>()).master = transaction.edit(people[1])
        })
        let snapshots = people.compactMap { $0.asSnapshot() }
        let (publishers, monitor) = (people.map { stack.publishObject($0) }, stack.monitorObject(people[1]))
        #expect(try stack.fetchCount(From<Pet>().where(\.$master == monitor)) == 1)
        #expect(try stack.fetchCount(From<Pet>().where(\.$master != monitor)) == 0)
        #expect(try stack.fetchCount(From<Pet>(), Where<Pet>("master == %@", monitor)) == 1)
        func names() throws -> [String] { try stack.fetchAll(From<Person>().orderBy(.ascending(\.$name))).map(\.name) }
        try stack.perform(synchronous: { $0.delete(snapshots[0]) })
        #expect(try names() == ["Bob", "Cat", "Dan", "Eve"])
        try stack.perform(synchronous: { $0.delete(monitor) })
        #expect(try names() == ["Cat", "Dan", "Eve"] && monitor.object == nil)
        try stack.perform(synchronous: { $0.delete(publishers[2], publishers[0], nil) })
        #expect(try names() == ["Dan", "Eve"])
        // Objects that are already deleted are ignored.
        try stack.perform(synchronous: { $0.delete(snapshots.dropLast()) })
        #expect(try names() == ["Eve"])
        try stack.perform(synchronous: { $0.delete(publishers) })
        #expect(try names() == [])
    }

    @Test(.pins("OBS-90"), arguments: TestBackend.allCases)
    func `a field of a superclass can be observed`(_ backend: TestBackend) throws {
        let test = try Town.empty(backend)
        try test.stack.perform(synchronous: { transaction in
            let mayor = transaction.create(Into<Town.Mayor>())
            var lines: [String] = []
            let tokens = [
                mayor.observe(\.$age, options: [.old, .new]) { mayor, change in
                    lines.append("\(mayor.term): \(change.oldValue ?? -1) \(change.newValue ?? -1)")
                },
                mayor.observe(\.$term, options: .new) { _, change in lines.append("term \(change.newValue ?? -1)") },
            ]
            mayor.age = 50
            mayor.term = 2
            mayor.age = 51
            #expect(lines == ["1: 0 50", "term 2", "2: 50 51"])
            withExtendedLifetime(tokens) {}
        })
    }

    @Test(.pins("STO-21"), arguments: TestBackend.allCases)
    func `publishers and monitors of a stack without storages have no object`(_ backend: TestBackend) throws {
        let test = try Town.filled(backend, ["Ann": 1])
        let ann = try #require(try test.person("Ann"))
        let empty = DataStack(Town.schema)
        let publisher = empty.publishObject(ann)
        #expect(publisher.object == nil && publisher.snapshot == nil && publisher.$age == nil)
        let monitor = empty.monitorObject(ann)
        #expect(monitor.object == nil && monitor.isObjectDeleted)
        var told = 0
        publisher.addObserver(owner) { _ in told += 1 }
        try test.edit("Ann") { $0.age = 2 }
        #expect(told == 0 && publisher.snapshot == nil)
    }

    @Test(.pins("OBS-70"), arguments: TestBackend.persistent)
    func `publishers of one object from two stacks are not equal`(
        _ backend: TestBackend
    ) throws {
        let directory = try TestStack.makeDirectory()
        defer { TestStack.remove(directory) }
        let (stack, other) = (DataStack(Town.schema), DataStack(Town.schema))
        for each in [stack, other] { try TestStack.add(backend.makeStore("store", in: directory), to: each) }
        defer { for each in [stack, other] { each.unsafeRemoveAllPersistentStoresAndWait() } }
        let id = try stack.perform(synchronous: { $0.create(Into<Person>()).objectID() })
        let publisher: ObjectPublisher<Person> = stack.publishObject(id)
        let again: ObjectPublisher<Person> = stack.publishObject(id)
        let elsewhere: ObjectPublisher<Person> = other.publishObject(id)
        #expect(publisher == again && publisher.hashValue == again.hashValue)
        #expect(publisher != elsewhere && Set([publisher, again, elsewhere]).count == 2)
        #expect(publisher.objectID() == elsewhere.objectID() && elsewhere.snapshot != nil)
    }

    @Test(.pins("TX-08"), arguments: TestBackend.allCases)
    func `monitors of an unsafe transaction receive the source identifier of the transaction`(
        _ backend: TestBackend
    ) throws {
        let test = try Town.filled(backend, ["Ann": 1])
        let draft = test.stack.beginUnsafe(sourceIdentifier: "draft")
        let child = draft.beginUnsafe(sourceIdentifier: "child")
        let from = From<Person>().orderBy(.ascending(\.$name))
        let (inside, outside) = (ListTranscript(), ListTranscript())
        let monitors = (draft.monitorList(from), test.stack.monitorList(from))
        monitors.0.addObserver(inside)
        monitors.1.addObserver(outside)
        child.create(Into<Person>()).name = "Bob"
        try child.commitAndWait()
        #expect(inside.take() == [])
        draft.flush()
        #expect(inside.take() == ["will Ann by draft", "insert Bob @0,1", "did Ann Bob by draft"])
        #expect(outside.take() == [])
        try draft.commitAndWait()
        #expect(outside.take() == ["will Ann by draft", "insert Bob @0,1", "did Ann Bob by draft"])
    }
}
