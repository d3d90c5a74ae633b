import Coffer
import CofferStorage
import CofferTransactions
import Foundation
import TestSupport
import Testing

private typealias Person = Town.Person
private typealias Pet = Town.Pet

/// Objects and relationships that are read again because other transactions or other stacks have saved changes.
@MainActor
struct RefreshedObjectTests {
    /// A list that is fetched again after each commit, because it has a limit.
    private static let young = From<Person>().where(\.$age < 50).orderBy(.ascending(\.$name)).tweak {
        $0.fetchLimit = 10
    }

    private func person(_ name: String, _ source: any FetchableSource) throws -> Person {
        try #require(try source.fetchOne(From<Person>().where(\.$name == name)))
    }

    @Test(.pins("OBS-24"), arguments: TestBackend.allCases, [false, true])
    func `an object that another stack deletes is deleted by a refetch of its list`(
        _ backend: TestBackend, isFetchedBetween: Bool
    ) throws {
        let test = try Town.filled(backend, ["Ann": 1, "Bob": 2])
        let other = try test.otherStack()
        let list = test.stack.monitorList(Self.young)
        let ann = try person("Ann", test.stack)
        try other.perform(synchronous: { try person("Ann", $0).age = 7 })
        if isFetchedBetween { #expect(try person("Ann", test.stack).age == 7) }
        try other.perform(synchronous: { $0.delete(try person("Ann", $0)) })
        try test.edit("Bob") { $0.age = 5 }
        #expect(list.objectsInAllSections().map(\.name) == ["Bob"])
        #expect(ann.isDeleted)
    }

    @Test(.pins("OBS-71"), arguments: TestBackend.allCases)
    func `publishers of objects that left a list show the deletion or the new values`(_ backend: TestBackend) throws {
        let test = try Town.filled(backend, ["Ann": 1, "Bob": 2, "Cat": 3])
        let other = try test.otherStack()
        let list = test.stack.monitorList(Self.young)
        let publishers = try ["Ann", "Bob"].map { test.stack.publishObject(try person($0, test.stack)) }
        #expect(publishers.map { $0.snapshot?.$age } == [1, 2])
        try other.perform(synchronous: { transaction in
            transaction.delete(try person("Ann", transaction))
            try person("Bob", transaction).age = 90
        })
        try test.edit("Cat") { $0.age = 5 }
        #expect(list.numberOfObjects() == 1)
        #expect(publishers.map { $0.snapshot?.$age } == [nil, 90])
        #expect(publishers.map { $0.object?.age } == [nil, 90])
    }

    @Test(.pins("OBS-40"), arguments: TestBackend.allCases)
    func `a monitor reports new members of a relationship after the object shows them`(
        _ backend: TestBackend
    ) throws {
        final class Reader: ObjectObserver {
            typealias ObjectEntityType = Town.Person
            var lines: [String] = []
            func objectMonitor(
                _ monitor: ObjectMonitor<Person>, didUpdateObject object: Person,
                changedPersistentKeys: Set<KeyPathString>
            ) {
                lines.append("\(changedPersistentKeys.sorted()) \(object.pets.count)")
            }
        }
        let test = try Town.filled(backend, ["Ann": 1])
        let transaction = test.stack.beginUnsafe()
        let ann = try person("Ann", transaction)
        #expect(ann.pets.isEmpty)
        let monitor = transaction.monitorObject(ann)
        let reader = Reader()
        monitor.addObserver(reader)
        ann.age = 7
        transaction.flush()
        try test.stack.perform(synchronous: { $0.create(Into<Pet>()).master = try person("Ann", $0) })
        transaction.flush()
        #expect(reader.lines == ["[\"age\"] 0", "[\"pets\"] 1"])
        #expect(ann.age == 7 && ann.pets.count == 1)
    }

    @Test(.pins("TX-42"))
    func `redo logs changes that it omits because another transaction deleted the object`() throws {
        let test = try Town.filled(.memory, ["Ann": 1, "Bob": 2])
        let transaction = test.stack.beginUnsafe(supportsUndo: true)
        let ann = try person("Ann", transaction)
        let monitor = transaction.monitorObject(ann)
        ann.age = 50
        transaction.flush()
        transaction.undo()
        try test.delete("Ann")
        let recording = RecordingLogger.record("\(ann.objectID())") { transaction.flush() }
        #expect(
            recording.messages(.warning) == [
                "\(ann.objectID()) was deleted by another transaction. Undo and redo leave out its changes."
            ])
        transaction.redo()
        #expect(ann.isDeleted && monitor.isObjectDeleted)
        try transaction.commitAndWait()
        #expect(try test.stack.fetchCount(From<Person>()) == 1)
    }

    /// Another stack deletes the members of owners, which are in a list of the stack or of a transaction.
    @Test(.pins("TX-30"), arguments: [false, true])
    func `members that another stack deleted are looked up once`(isInTransaction: Bool) throws {
        let probed = try ProbedStack(.memory, Town.schema)
        try probed.stack.perform(synchronous: { transaction in
            for index in 0..<50 {
                let person = transaction.create(Into<Person>())
                person.name = "\(index)"
                transaction.create(Into<Pet>()).master = person
            }
        })
        let other = DataStack(Town.schema)
        try other.addStorageAndWait(probed.store)
        let transaction = isInTransaction ? probed.stack.beginUnsafe() : nil
        let people = try transaction?.fetchAll(From<Person>()) ?? probed.stack.fetchAll(From<Person>())
        #expect(people.allSatisfy { $0.pets.count == 1 })
        let clauses = From<Pet>().orderBy(.ascending(\.$age)).tweak { $0.fetchLimit = 100 }
        let list = transaction?.monitorList(clauses) ?? probed.stack.monitorList(clauses)
        let pets = list.objectsInAllSections()
        try other.perform(synchronous: { $0.delete(try $0.fetchAll(From<Pet>())) })
        try probed.stack.perform(synchronous: { $0.create(Into<Pet>()).age = 3 })
        transaction?.flush()
        #expect(list.numberOfObjects() == 1)
        #expect(pets.allSatisfy { $0.isDeleted })
        _ = probed.store.takeRequests()
        for _ in 0..<2 { #expect(people.allSatisfy { $0.pets.isEmpty }) }
        #expect(probed.store.takeRequests().count == 1)
    }

    @Test(.pins("OBS-40"))
    func `a refresh loads only relationships that were already loaded`() throws {
        let probed = try ProbedStack(.memory, Town.schema)
        try probed.stack.perform(synchronous: { transaction in
            for index in 0..<20 {
                let person = transaction.create(Into<Person>())
                person.name = "\(index)"
                person.friends = [person]
                transaction.create(Into<Pet>()).master = person
            }
        })
        let people = try probed.stack.fetchAll(From<Person>())
        #expect(people.allSatisfy { $0.friends.count == 1 })
        let one = try #require(try probed.stack.fetchOne(From<Person>().where(\.$name == "3")))
        #expect(one.pets.count == 1)
        let publisher = probed.stack.publishObject(one)
        #expect(publisher.snapshot != nil)
        _ = probed.store.takeRequests()
        probed.stack.refreshAndMergeAllObjects()
        let related = probed.store.takeRequests().filter { $0.contains("pets of") || $0.contains("friends of") }
        #expect(related.sorted() == ["related Person.friends of 20", "related Person.pets of 1"])
    }
}
