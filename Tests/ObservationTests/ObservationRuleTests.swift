import Coffer
import CofferStorage
import Foundation
import TestSupport
import Testing

private typealias Person = Town.Person
private typealias Pet = Town.Pet

/// Rules of monitored lists that other tests cover only in part.
@MainActor
struct ObservationRuleTests {
    private final class Owner {}
    private let owner = Owner()

    private func monitor(_ test: TestStack) -> ListMonitor<Person> {
        test.stack.monitorList(From<Person>().orderBy(.ascending(\.$name)))
    }

    // MARK: Creation

    @Test(.pins("STO-21", "OBS-01"), arguments: TestBackend.allCases)
    func `a monitor created before its storage is added is empty, and is filled after the addition`(
        _ backend: TestBackend
    ) async throws {
        final class Finch: CoreStoreObject {
            @Field.Stored("name") var name: String = ""
        }
        let directory = try TestStack.makeDirectory()
        defer { TestStack.remove(directory) }
        let stack = DataStack(CoreStoreSchema(modelVersion: "V1", entities: [Entity<Finch>("Finch")]))
        defer { stack.unsafeRemoveAllPersistentStoresAndWait() }
        let from = From<Finch>().orderBy(.ascending(\.$name))
        var made: [ListMonitor<Finch>] = []
        let recording = RecordingLogger.record("storage for 'Finch'. If the schema has no ") {
            made = [
                stack.monitorList(from),
                stack.monitorSectionedList(from.from, SectionBy(\.$name), from.fetchClauses),
            ]
        }
        #expect(
            recording.entries
                == Array(
                    repeating: .error(.persistentStoreNotFound, "The list could not be fetched. It is empty."), count: 2
                ))
        #expect(made.allSatisfy { $0.numberOfObjects() == 0 && $0.objectsInAllSections().isEmpty })
        try TestStack.addStore(backend, to: stack, in: directory)
        try stack.perform(synchronous: { $0.create(Into<Finch>()).name = "Ann" })
        await withCheckedContinuation { continuation in stack.viewQueue.async { continuation.resume() } }
        #expect(made.map { $0.objectsInAllSections().map(\.name) } == [["Ann"], ["Ann"]])
        try stack.perform(synchronous: { $0.create(Into<Finch>()).name = "Bob" })
        #expect(made.map { $0.objectsInAllSections().map(\.name) } == [["Ann", "Bob"], ["Ann", "Bob"]])
    }

    @Test(.pins("OBS-01"), arguments: TestBackend.allCases)
    func `each asynchronous form of creating a monitor passes the monitor in a later turn`(
        _ backend: TestBackend
    ) async throws {
        let test = try Town.filled(backend, ["Bob": 1, "Ann": 2])
        let (stack, order) = (test.stack, OrderBy<Person>(.ascending(\.$age)))
        let (from, sections) = (From<Person>(), SectionBy<Person>(\.$age))
        var texts: [String] = []
        func take(_ monitor: ListMonitor<Person>) { texts.append(monitor.text) }
        stack.monitorList(createAsynchronously: take, from, order)
        stack.monitorList(createAsynchronously: take, from, [order])
        stack.monitorList(createAsynchronously: take, from.orderBy(order))
        stack.monitorSectionedList(createAsynchronously: take, from, sections, order)
        stack.monitorSectionedList(createAsynchronously: take, from, sections, [order])
        stack.monitorSectionedList(createAsynchronously: take, from.sectionBy(sections).orderBy(order))
        #expect(texts == [])
        await test.onViewQueue()
        #expect(texts == Array(repeating: "Bob Ann", count: 3) + Array(repeating: "1: Bob, 2: Ann", count: 3))
        #expect(stack.monitorList(from, order).text == "Bob Ann" && stack.monitorList(from, [order]).text == "Bob Ann")
        #expect(stack.monitorSectionedList(from, sections, order).text == "1: Bob, 2: Ann")
        #expect(stack.monitorSectionedList(from, sections, [order]).text == "1: Bob, 2: Ann")
    }

    // MARK: Lists

    @Test(.pins("OBS-07"), arguments: TestBackend.allCases)
    func `a monitor equals itself and no other, before, during and after a refetch`(
        _ backend: TestBackend
    ) async throws {
        let test = try Town.filled(backend, ["Ann": 1])
        let (one, other) = (monitor(test), monitor(test))
        let pets = test.stack.monitorList(From<Pet>().orderBy(.ascending(\.$name)))
        let hash = one.hashValue
        func check() {
            #expect(one == one && one ~= one && one != other && !(one ~= other) && one.hashValue == hash)
            #expect(!(one == pets) && !(one ~= pets))
        }
        check()
        one.refetch(OrderBy<Person>(.descending(\.$name)))
        check()
        await test.onViewQueue()
        check()
        let person = test.stack.monitorObject(try #require(try test.person("Ann")))
        let dog = try test.stack.perform(synchronous: { $0.create(Into<Pet>()).objectID() })
        let rex: Pet = try #require(test.stack.fetchExisting(dog))
        #expect(!(person == test.stack.monitorObject(rex)) && !(person ~= test.stack.monitorObject(rex)))
    }

    @Test(.pins("OBS-08"), arguments: TestBackend.allCases)
    func `a refetch keeps From and SectionBy, drops other clauses, and applies to later commits`(
        _ backend: TestBackend
    ) async throws {
        let test = try Town.filled(backend, ["Ann": 20, "Bob": 30, "Cat": 40])
        try test.stack.perform(synchronous: { transaction in
            let eve = transaction.create(Into<Town.Mayor>())
            (eve.name, eve.age) = ("Eve", 50)
        })
        let from = From<Person>(Town.Mayor.self)
        let mayors = test.stack.monitorList(from, OrderBy<Person>(.ascending(\.$name)))
        let monitor = test.stack.monitorSectionedList(
            From<Person>().sectionBy(\.$isMember).where(\.$age > 25).orderBy(.ascending(\.$name)).limit(1))
        #expect(monitor.text == "0: Bob" && mayors.text == "Eve")
        let transcript = ListTranscript()
        monitor.addObserver(transcript)
        mayors.refetch(OrderBy<Person>(.descending(\.$name)))
        monitor.refetch([OrderBy<Person>(.descending(\.$name))])
        await test.onViewQueue()
        #expect(monitor.text == "0: Eve Cat Bob Ann" && mayors.text == "Eve")
        #expect(transcript.take() == ["will refetch 0: Bob", "did refetch 0: Eve Cat Bob Ann"])
        try test.add("Dan", 5)
        #expect(
            transcript.take() == [
                "will 0: Eve Cat Bob Ann", "insert Dan @0,1", "did 0: Eve Dan Cat Bob Ann",
            ])
        #expect(mayors.text == "Eve")
        monitor.refetch(Where<Person>(\.$age > 35), OrderBy<Person>(.ascending(\.$age)), Tweak { $0.fetchLimit = 1 })
        await test.onViewQueue()
        _ = transcript.take()
        try test.add("Fay", 36)
        #expect(transcript.take().last == "did 0: Fay" && monitor.text == "0: Fay")
    }

    @Test(.pins("OBS-08"), arguments: TestBackend.allCases)
    func `a refetch of a list of an unsafe transaction fetches at once`(_ backend: TestBackend) throws {
        let test = try Town.filled(backend, ["Ann": 20, "Bob": 30])
        let draft = test.stack.beginUnsafe()
        let monitor = draft.monitorList(From<Person>().orderBy(.ascending(\.$name)))
        let transcript = ListTranscript()
        monitor.addObserver(transcript)
        draft.create(Into<Person>()).name = "Cat"
        monitor.refetch(OrderBy<Person>(.descending(\.$name)), sourceIdentifier: "me")
        #expect(!monitor.isPendingRefetch && monitor.text == "Cat Bob Ann")
        #expect(transcript.take() == ["will refetch Ann Bob by me", "did refetch Cat Bob Ann by me"])
    }

    @Test(.pins("OBS-09", "OBS-53"), arguments: TestBackend.allCases)
    func `monitors fetch again only for a storage with their class, and publishers never do`(
        _ backend: TestBackend
    ) async throws {
        final class Nut: CoreStoreObject {
            @Field.Stored("name") var name: String = ""
        }
        final class Bolt: CoreStoreObject {
            @Field.Stored("name") var name: String = ""
        }
        final class Counter: ListObserver {
            typealias ListEntityType = Nut
            var lines: [String] = []
            func listMonitorDidChange(_ monitor: ListMonitor<Nut>) { lines.append("change") }
            func listMonitorWillRefetch(_ monitor: ListMonitor<Nut>) { lines.append("will") }
            func listMonitorDidRefetch(_ monitor: ListMonitor<Nut>) { lines.append("did") }
        }
        let schema = CoreStoreSchema(
            modelVersion: "V1",
            entityConfigurations: [Entity<Nut>("Nut"): ["A", "B"], Entity<Bolt>("Bolt"): ["A", "B", "C"]])
        let directory = try TestStack.makeDirectory()
        defer { TestStack.remove(directory) }
        let stack = DataStack(schema)
        defer { stack.unsafeRemoveAllPersistentStoresAndWait() }
        try TestStack.addStore(backend, to: stack, in: directory, configuration: "A")
        try stack.perform(synchronous: { $0.create(Into<Nut>("A")).name = "a" })
        let from = From<Nut>().orderBy(.ascending(\.$name))
        let (monitor, list) = (stack.monitorList(from), stack.publishList(from))
        let counter = Counter()
        monitor.addObserver(counter)
        var told = 0
        list.addObserver(owner) { _ in told += 1 }
        try TestStack.addStore(backend, to: stack, in: directory, configuration: "C")
        await withCheckedContinuation { continuation in stack.viewQueue.async { continuation.resume() } }
        #expect(counter.lines == [] && told == 0)
        try TestStack.addStore(backend, to: stack, in: directory, configuration: "B")
        await withCheckedContinuation { continuation in stack.viewQueue.async { continuation.resume() } }
        #expect(counter.lines == ["will", "did"] && told == 0 && list.snapshot.count == 1)
        try stack.perform(synchronous: { $0.create(Into<Nut>("B")).name = "b" })
        #expect(monitor.objectsInAllSections().map(\.name) == ["a", "b"])
        #expect(list.snapshot.map { $0.$name } == ["a"])
        try list.refetch(from)
        #expect(list.snapshot.map { $0.$name } == ["a", "b"])
    }

    @Test(.pins("OBS-09"), arguments: TestBackend.allCases)
    func `a list of one configuration does not fetch again for a storage of another class`(
        _ backend: TestBackend
    ) async throws {
        final class Screw: CoreStoreObject {
            @Field.Stored("name") var name: String = ""
        }
        final class Washer: CoreStoreObject {
            @Field.Stored("name") var name: String = ""
        }
        final class Counter: ListObserver {
            typealias ListEntityType = Screw
            var lines: [String] = []
            func listMonitorDidChange(_ monitor: ListMonitor<Screw>) { lines.append("change") }
            func listMonitorWillRefetch(_ monitor: ListMonitor<Screw>) { lines.append("will") }
            func listMonitorDidRefetch(_ monitor: ListMonitor<Screw>) { lines.append("did") }
        }
        let schema = CoreStoreSchema(
            modelVersion: "V1",
            entityConfigurations: [Entity<Screw>("Screw"): ["A", "B"], Entity<Washer>("Washer"): ["A", "B", "C"]])
        let directory = try TestStack.makeDirectory()
        defer { TestStack.remove(directory) }
        let stack = DataStack(schema)
        defer { stack.unsafeRemoveAllPersistentStoresAndWait() }
        for name in ["A", "B"] {
            try TestStack.addStore(backend, to: stack, in: directory, configuration: name)
            try stack.perform(synchronous: { $0.create(Into<Screw>(name)).name = name })
        }
        await withCheckedContinuation { continuation in stack.viewQueue.async { continuation.resume() } }
        let monitor = stack.monitorList(From<Screw>("A").orderBy(.ascending(\.$name)))
        let counter = Counter()
        monitor.addObserver(counter)
        try TestStack.addStore(backend, to: stack, in: directory, configuration: "C")
        await withCheckedContinuation { continuation in stack.viewQueue.async { continuation.resume() } }
        #expect(counter.lines == [])
        #expect(monitor.objectsInAllSections().map(\.name) == ["A"])
    }

    @Test(.pins("OBS-22", "OBS-23"), arguments: TestBackend.allCases)
    func `in a mixed commit deletions and updates have old coordinates, and insertions have new ones`(
        _ backend: TestBackend
    ) throws {
        let test = try Town.filled(backend, ["Ann": 1, "Bob": 2, "Cat": 3, "Dan": 4])
        let monitor = monitor(test)
        let transcript = ListTranscript()
        monitor.addObserver(transcript)
        try test.stack.perform(synchronous: { transaction in
            func person(_ name: String) throws -> Person? {
                try transaction.fetchOne(From<Person>().where(\.$name == name))
            }
            transaction.delete(try person("Ann"))
            transaction.create(Into<Person>()).name = "Cab"
            for name in ["Bob", "Dan"] { try person(name)?.age += 10 }
            try person("Cat")?.name = "Zoe"
        })
        #expect(
            transcript.take() == [
                "will Ann Bob Zoe Dan", "delete Ann @0,0", "insert Cab @0,1", "move Zoe @0,2 to @0,3",
                "update Bob @0,1", "update Dan @0,3", "did Bob Cab Dan Zoe",
            ])
    }

    @Test(.pins("OBS-23"), arguments: TestBackend.allCases)
    func `an object that becomes the second of another section moves to the new place`(
        _ backend: TestBackend
    ) throws {
        let test = try Town.filled(backend, ["Abe": 1, "Ann": 2, "Bob": 3])
        try test.edit("Abe") { $0.isMember = true }
        let monitor = test.stack.monitorSectionedList(
            From<Person>().sectionBy(\.$isMember).orderBy(.ascending(\.$isMember), .ascending(\.$name)))
        let transcript = ListTranscript()
        monitor.addObserver(transcript)
        try test.edit("Ann") { $0.isMember = true }
        #expect(
            transcript.take() == [
                "will 0: Ann Bob, 1: Abe", "move Ann @0,0 to @1,1", "did 0: Bob, 1: Abe Ann",
            ])
    }

    @Test(.pins("OBS-27"), arguments: TestBackend.allCases)
    func `a commit of objects that do not match the condition does not call observers of a list`(
        _ backend: TestBackend
    ) throws {
        let test = try Town.filled(backend, ["Ann": 40, "Kid": 5])
        let adults = From<Person>().where(\.$age >= 18).orderBy(.ascending(\.$name))
        // A list with a limit is fetched again after each commit.
        let monitors = [test.stack.monitorList(adults), test.stack.monitorList(adults.limit(9))]
        let transcript = ListTranscript()
        for monitor in monitors { monitor.addObserver(transcript) }
        try test.add("Baby", 0)
        try test.edit("Kid") { ($0.name, $0.age) = ("Teen", 17) }
        try test.delete("Baby")
        try test.edit("Ann") { $0.age += 0 }
        #expect(transcript.take() == [])
        try test.edit("Teen") { $0.age = 18 }
        #expect(transcript.take().filter { $0.hasPrefix("insert Teen") }.count == 2)
    }

    @Test(.pins("OBS-23"), arguments: TestBackend.allCases)
    func `a change of the sort value is reported as a move, even if the object keeps its place`(
        _ backend: TestBackend
    ) throws {
        let test = try Town.filled(backend, ["Ann": 1, "Bob": 2])
        let monitor = monitor(test)
        let transcript = ListTranscript()
        monitor.addObserver(transcript)
        try test.edit("Ann") { $0.name = "Abe" }
        #expect(transcript.take() == ["will Abe Bob", "move Abe @0,0 to @0,0", "did Abe Bob"])
        try test.edit("Abe") { $0.age = 9 }
        #expect(transcript.take() == ["will Abe Bob", "update Abe @0,0", "did Abe Bob"])
    }

    @Test(.pins("OBS-23"), arguments: TestBackend.allCases)
    func `a change of the sort value is a move also in a list that is refetched after each commit`(
        _ backend: TestBackend
    ) throws {
        let test = try Town.filled(backend, ["Ann": 1, "Bob": 2])
        let monitor = test.stack.monitorList(From<Person>().orderBy(.ascending(\.$name)).limit(9))
        let transcript = ListTranscript()
        monitor.addObserver(transcript)
        try test.edit("Ann") { $0.name = "Abe" }
        #expect(transcript.take() == ["will Abe Bob", "move Abe @0,0 to @0,0", "did Abe Bob"])
        // Both objects change; only the first one changes its place in the order.
        try test.stack.perform(synchronous: { transaction in
            for person in try transaction.fetchAll(From<Person>()) {
                if person.name == "Abe" { person.name = "Zoe" } else { person.age = 9 }
            }
        })
        #expect(
            transcript.take() == ["will Zoe Bob", "move Zoe @0,0 to @0,1", "update Bob @0,1", "did Bob Zoe"])
    }

    @Test(.pins("OBS-28"), arguments: TestBackend.allCases)
    func `an object whose related objects changed is updated even if its list knew the commit`(
        _ backend: TestBackend
    ) throws {
        let test = try Town.filled(backend, ["Ann": 1, "Bob": 2])
        let from = From<Person>().orderBy(.ascending(\.$name))
        // A list with a limit is fetched again after each commit.
        let (list, monitor) = (test.stack.publishList(from), test.stack.monitorList(from.limit(9)))
        let transcript = ListTranscript()
        monitor.addObserver(transcript)
        // The order does not keep the objects of a section together.
        let sections = test.stack.monitorSectionedList(
            From<Person>().sectionBy(\.$isMember).orderBy(.ascending(\.$name)))
        var hasCommitted = false
        list.addObserver(owner) { _ in
            guard !hasCommitted else { return }
            hasCommitted = true
            // The view queue applies both commits at once. Observers are called for one commit after the other.
            try? test.stack.perform(synchronous: { transaction in
                let cat = transaction.create(Into<Person>())
                (cat.name, cat.isMember) = ("Cat", true)
                transaction.create(Into<Person>()).name = "Dan"
            })
            _ = try? test.stack.perform(synchronous: { transaction in
                transaction.create(Into<Pet>()).master = try transaction.fetchOne(
                    From<Person>().where(\.$name == "Ann"))
            })
        }
        try test.edit("Bob") { $0.age = 3 }
        let changes = transcript.take().filter { !$0.hasPrefix("will") && !$0.hasPrefix("did") }
        #expect(changes == ["update Bob @0,1", "insert Cat @0,2", "insert Dan @0,3", "update Ann @0,0"])
        for (section, names) in [["Ann", "Bob", "Dan"], ["Cat"]].enumerated() {
            for (place, name) in names.enumerated() {
                let person = try #require(try test.person(name))
                #expect(sections.indexPath(of: person) == [section, place])
            }
        }
    }

    @Test(.pins("FQ-06"), arguments: TestBackend.allCases)
    func `observers are called for each stored object that deleteAll deletes`(
        _ backend: TestBackend
    ) throws {
        let test = try Town.filled(backend, ["Ann": 1, "Bob": 2, "Cat": 3])
        let monitor = monitor(test)
        let transcript = ListTranscript()
        monitor.addObserver(transcript)
        try test.stack.perform(synchronous: { transaction in
            transaction.create(Into<Person>()).name = "pending"
            let count = try transaction.deleteAll(From<Person>().where(\.$age != 2))
            #expect(count == 3)
        })
        #expect(transcript.take() == ["will Ann Bob Cat", "delete Ann @0,0", "delete Cat @0,2", "did Bob"])
    }
}
