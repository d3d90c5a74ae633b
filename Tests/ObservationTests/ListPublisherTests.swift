import Coffer
import CofferStorage
import Foundation
import TestSupport
import Testing

private typealias Person = Town.Person

@MainActor
struct ListPublisherTests {
    @Test(.pins("OBS-50", "OBS-51"), arguments: TestBackend.allCases)
    func `a published list follows inserts, changes, moves and deletions`(_ backend: TestBackend) throws {
        let test = try Town.filled(backend, ["Ann": 40, "Bob": 10, "Cat": 30])
        let list = test.stack.publishList(From<Person>().where(\.$age >= 18).orderBy(.ascending(\.$name)))
        #expect(list.snapshot.text == "Ann Cat")
        var told: [String] = []
        list.addObserver(self.owner) { list, source in told.append("\(source ?? "-") \(list.snapshot.text)") }
        try test.add("Abe", 50, source: 1)
        try test.edit("Bob", source: 2) { $0.age = 20 }
        try test.edit("Ann", source: 3) { $0.name = "Zoe" }
        try test.edit("Cat", source: 4) { $0.city = "Rome" }
        try test.edit("Cat", source: 5) { $0.age = 3 }
        try test.delete("Abe", source: 6)
        try test.add("Kid", 5, source: 7)
        #expect(
            told == [
                "1 Abe Ann Cat", "2 Abe Ann Bob Cat", "3 Abe Bob Cat Zoe", "4 Abe Bob Cat Zoe", "5 Abe Bob Zoe",
                "6 Bob Zoe",
            ])
    }

    private let owner = Owner()

    final class Owner {}

    @Test(.pins("OBS-50", "OBS-55"), arguments: TestBackend.allCases)
    func `each form of publishing a list returns a fetched list`(_ backend: TestBackend) throws {
        let test = try Town.filled(backend, ["Bob": 1, "Ann": 2])
        let (stack, order) = (test.stack, OrderBy<Person>(.ascending(\.$age)))
        let (from, sections) = (From<Person>(), SectionBy<Person>(\.$age))
        let whole = [
            stack.publishList(from, order), stack.publishList(from, [order]), stack.publishList(from.orderBy(order)),
        ]
        #expect(whole.map { $0.snapshot.text } == Array(repeating: "Bob Ann", count: 3))
        let divided = [
            stack.publishList(from, sections, order), stack.publishList(from, sections, [order]),
            stack.publishList(from.sectionBy(sections).orderBy(order)),
        ]
        #expect(divided.map { $0.snapshot.text } == Array(repeating: "1: Bob, 2: Ann", count: 3))
        let window = Tweak {
            $0.fetchOffset = 1
            $0.fetchLimit = 1
        }
        #expect(stack.publishList(from, order, window).snapshot.text == "Ann")
        #expect(stack.publishList(from, sections, order, window).snapshot.text == "2: Ann")
    }

    @Test(.pins("OBS-51"), arguments: TestBackend.allCases)
    func `an observer has one closure, is held weakly, and can be called at once`(_ backend: TestBackend) throws {
        let test = try Town.filled(backend, ["Ann": 40])
        let list = test.stack.publishList(From<Person>().orderBy(.ascending(\.$name)))
        var told: [String] = []
        var observer: Owner? = Owner()
        list.addObserver(try #require(observer)) { _ in told.append("former") }
        list.addObserver(try #require(observer), notifyInitial: true, initialSourceIdentifier: "at once") { _, source in
            told.append("\(source ?? "-")")
        }
        let other = Owner()
        list.addObserver(other) { _ in told.append("other") }
        list.removeObserver(other)
        try test.add("Bob", source: "Bob")
        observer = nil
        try test.add("Cat", source: "Cat")
        #expect(told == ["at once", "Bob"])
        #expect(list.snapshot.text == "Ann Bob Cat")
    }

    @Test(.pins("OBS-52"), arguments: TestBackend.allCases)
    func `a refetch changes clauses and sections, and calls observers at once`(_ backend: TestBackend) throws {
        let test = try Town.filled(backend, ["Ann": 40, "Bob": 10, "Cat": 30])
        let list = test.stack.publishList(From<Person>().where(\.$age > 18).orderBy(.ascending(\.$name)))
        var told: [String] = []
        list.addObserver(owner) { list, source in told.append("\(source ?? "-") \(list.snapshot.text)") }
        try list.refetch(From<Person>().where(\.$age < 35).orderBy(.descending(\.$age)), sourceIdentifier: "young")
        try list.refetch(From<Person>().sectionBy(\.$decade).orderBy(.ascending(\.$age)), sourceIdentifier: "all")
        #expect(told == ["young Cat Bob", "all 1: Bob, 3: Cat, 4: Ann"])
        #expect(throws: CoreStoreError.self) {
            try list.refetch(From<Person>().where(format: "nothing == 1").orderBy(.ascending(\.$name)))
        }
        try test.add("Dan", 35, source: "Dan")
        #expect(told.last == "Dan 1: Bob, 3: Cat Dan, 4: Ann")
    }

    @Test(.pins("OBS-53"), arguments: TestBackend.allCases)
    func `a published list does not change when the storages are removed`(_ backend: TestBackend) throws {
        let test = try Town.filled(backend, ["Ann": 40])
        let list = test.stack.publishList(From<Person>().orderBy(.ascending(\.$name)))
        var told = 0
        list.addObserver(owner) { _ in told += 1 }
        test.stack.unsafeRemoveAllPersistentStoresAndWait()
        #expect(list.snapshot.count == 1)
        #expect(told == 0)
    }

    @Test(.pins("OBS-55"), arguments: TestBackend.allCases)
    func `a list with a limit and an offset is fetched again after each commit`(_ backend: TestBackend) throws {
        let test = try Town.filled(backend, ["Ann": 1, "Bob": 2, "Cat": 3, "Dan": 4])
        let list = test.stack.publishList(From<Person>().orderBy(.ascending(\.$name)).limit(2).offset(1))
        #expect(list.snapshot.text == "Bob Cat")
        try test.delete("Bob")
        #expect(list.snapshot.text == "Cat Dan")
        try test.add("Abe")
        #expect(list.snapshot.text == "Ann Cat")
    }

    @Test(.pins("OBS-56"), arguments: TestBackend.allCases)
    func `a snapshot names the items that the commit changed`(_ backend: TestBackend) throws {
        let test = try Town.filled(backend, ["Ann": 40, "Bob": 10, "Cat": 30])
        let list = test.stack.publishList(From<Person>().orderBy(.ascending(\.$name)))
        #expect(list.snapshot.updatedItemIdentifiers.isEmpty)
        try test.edit("Bob") { $0.age = 11 }
        #expect(list.snapshot.updatedItemIdentifiers == [try #require(try test.person("Bob")).objectID()])
    }

    @Test(.pins("CLS-66"), arguments: TestBackend.allCases)
    func `publishing a list without an order logs an assertion and orders the list by key`(
        _ backend: TestBackend
    ) throws {
        let test = try Town.filled(backend, ["Bob": 40, "Ann": 10])
        var list: ListPublisher<Person>?
        let recording = RecordingLogger.record("'Person' was observed without an order") {
            list = test.stack.publishList(From<Person>())
        }
        #expect(
            recording.assertions == ["A list of 'Person' was observed without an order. Add an 'orderBy'."]
        )
        #expect(list?.snapshot.text == "Bob Ann")
    }

    @Test(.pins("STO-21", "OBS-50"), arguments: TestBackend.allCases)
    func `a list that is published before its storage is added is fetched after the storage is added`(
        _ backend: TestBackend
    ) async throws {
        let directory = try TestStack.makeDirectory()
        defer { TestStack.remove(directory) }
        let stack = DataStack(Town.schema)
        defer { stack.unsafeRemoveAllPersistentStoresAndWait() }
        var made: ListPublisher<Person>?
        let recording = RecordingLogger.record("storage for 'Person'. If the schema has no ") {
            made = stack.publishList(From<Person>().orderBy(.ascending(\.$name)))
        }
        #expect(
            recording.errors == ["The list could not be fetched. It is empty until a storage for its entity is added."])
        let list = try #require(made)
        var told: [String] = []
        list.addObserver(owner) { told.append($0.snapshot.text) }
        #expect(list.snapshot.isEmpty)
        try TestStack.addStore(backend, to: stack, in: directory)
        try stack.perform(synchronous: { $0.create(Into<Person>()).name = "Ann" })
        await withCheckedContinuation { continuation in stack.viewQueue.async { continuation.resume() } }
        #expect(list.snapshot.text == "Ann")
        #expect(told == ["Ann"])
        try stack.perform(synchronous: { $0.create(Into<Person>()).name = "Bob" })
        #expect(told == ["Ann", "Ann Bob"])
    }

    @Test(.pins("STO-30"), arguments: TestBackend.allCases)
    func `publishing or monitoring a list off the view queue logs an assertion and fills the list`(
        _ backend: TestBackend
    ) throws {
        let queue = DispatchQueue(label: "elsewhere")
        let test = try TestStack(backend, Town.schema, viewQueue: queue)
        try test.add("Ann")
        let from = From<Person>().orderBy(.ascending(\.$name))
        var lists: (ListPublisher<Person>, ListMonitor<Person>)?
        let recording = RecordingLogger.record("'Person' was observed outside") {
            lists = (test.stack.publishList(from), test.stack.monitorList(from))
        }
        #expect(recording.assertions.count == 2)
        let (list, monitor) = try #require(lists)
        queue.sync {
            #expect(list.snapshot.text == "Ann" && monitor.text == "Ann")
        }
        try test.add("Bob")
        queue.sync {
            #expect(list.snapshot.text == "Ann Bob" && monitor.text == "Ann Bob")
        }
    }

    @Test(.pins("OBS-51"), arguments: TestBackend.allCases)
    func `a list follows changes of related objects that its condition or order uses`(
        _ backend: TestBackend
    ) throws {
        let test = try Town.filled(backend, ["Ann": 40, "Bob": 10, "Cat": 30])
        try test.stack.perform(synchronous: { transaction in
            for (dog, name) in [("Rex", "Cat"), ("Ada", "Ann")] {
                let made = transaction.create(Into<Town.Pet>())
                made.name = dog
                made.master = try transaction.fetchOne(From<Person>().where(\.$name == name))
            }
        })
        let owners = test.stack.publishList(
            From<Person>().where((\Person.$pets ~ \.$name).any() >= "Max").orderBy(.ascending(\.$name)))
        let pets = test.stack.publishList(From<Town.Pet>().orderBy(.ascending(\.$master ~ \.$name)))
        func names() -> [String] { pets.snapshot.map { $0.$name ?? "?" } }
        #expect(owners.snapshot.text == "Cat")
        #expect(names() == ["Ada", "Rex"])
        try test.stack.perform(synchronous: { try $0.fetchOne(From<Town.Pet>().where(\.$name == "Ada"))?.name = "Moe" })
        #expect(owners.snapshot.text == "Ann Cat")
        try test.edit("Ann") { $0.name = "Zoe" }
        #expect(names() == ["Rex", "Moe"])
    }

    @Test(.pins("OBS-51"), arguments: TestBackend.allCases)
    func `a list follows a commit of one row without a request to the store`(_ backend: TestBackend) throws {
        let test = try ProbedStack(backend, Town.schema)
        try test.stack.perform(synchronous: { transaction in
            for number in 0..<200 { transaction.create(Into<Person>()).age = number }
        })
        let list = test.stack.publishList(From<Person>().where(\.$age >= 20).orderBy(.ascending(\.$age)))
        _ = test.store.takeRequests()
        try test.stack.perform(synchronous: { $0.create(Into<Person>()).age = 100 })
        #expect(test.store.takeRequests().filter { !$0.hasPrefix("reserve") } == ["commit +1 *0 -0"])
        #expect(list.snapshot.count == 181)
        #expect(list.snapshot.map { $0.$age ?? 0 } == (20..<200).flatMap { $0 == 100 ? [100, 100] : [$0] })
    }
}
