import Coffer
import CofferStorage
import CofferTransactions
import Foundation
import TestSupport
import Testing

private typealias Person = Town.Person
private typealias Pet = Town.Pet

/// Monitors of an unsafe transaction report the commits of other transactions.
@MainActor
struct OvertakenMonitorTests {
    /// A call that makes the monitors of a transaction look for changes.
    enum Look: CaseIterable {
        case flush
        case commit
        case commitWithCompletion
        case undo
        case redo
        case rollback
        case refresh
    }

    nonisolated private static let looks = TestBackend.allCases.flatMap { backend in
        Look.allCases.map { (backend, $0) }
    }

    /// An observer that reads the names, ages, pets and friends of the objects inside its callbacks.
    private final class Reader: ListObjectObserver {
        typealias ListEntityType = Town.Person

        private var lines: [String] = []

        func take() -> [String] {
            defer { lines = [] }
            return lines.sorted()
        }

        private func text(_ person: Person) -> String {
            "\(person.name) \(person.age) \(person.pets.count) \(person.friends.map(\.name))"
        }

        func listMonitorWillChange(_ monitor: ListMonitor<Person>) {
            lines.append(
                "0 will: " + monitor.objectsInAllSections().map { "\($0.name) \($0.age)" }.joined(separator: ", "))
        }
        func listMonitorDidChange(_ monitor: ListMonitor<Person>) {}
        func listMonitorDidRefetch(_ monitor: ListMonitor<Person>) {}
        func listMonitor(_ monitor: ListMonitor<Person>, didInsertObject object: Person, toIndexPath: IndexPath) {
            lines.append("insert " + text(object))
        }
        func listMonitor(_ monitor: ListMonitor<Person>, didUpdateObject object: Person, atIndexPath: IndexPath) {
            lines.append("update " + text(object))
        }
        func listMonitor(_ monitor: ListMonitor<Person>, didDeleteObject object: Person, fromIndexPath: IndexPath) {
            lines.append("delete \(object.name) \(object.isDeleted)")
        }
        func listMonitor(
            _ monitor: ListMonitor<Person>, didMoveObject object: Person, fromIndexPath: IndexPath,
            toIndexPath: IndexPath
        ) {
            lines.append("move " + text(object))
        }
    }

    /// Five people, and an unsafe transaction that has changed Eve.
    ///
    /// Ann has a dog, and Bob is her friend.
    @MainActor
    private struct Draft {
        let test: TestStack
        let transaction: UnsafeDataTransaction
        let people: [Person]
        let list: ListMonitor<Person>
        let reader = Reader()
        let monitors: [ObjectMonitor<Person>]
        let transcripts: [ObjectMonitorTests.Transcript]

        init(_ backend: TestBackend) throws {
            test = try Town.filled(backend, ["Ann": 1, "Bob": 2, "Cat": 3, "Dan": 4, "Eve": 5])
            try test.stack.perform(synchronous: { transaction in
                let people = try transaction.fetchAll(From<Person>().orderBy(.ascending(\.$name)))
                transaction.create(Into<Pet>()).master = people[0]
                people[0].friends = [people[1]]
            })
            transaction = test.stack.beginUnsafe(supportsUndo: true)
            let clauses = From<Person>().where(\.$age < 50).orderBy(.ascending(\.$name))
            people = try transaction.fetchAll(clauses)
            list = transaction.monitorList(clauses)
            list.addObserver(reader)
            monitors = people.map(transaction.monitorObject)
            transcripts = monitors.map { _ in ObjectMonitorTests.Transcript() }
            for (monitor, transcript) in zip(monitors, transcripts) { monitor.addObserver(transcript) }
            people[4].city = "Oslo"
            transaction.flush()
            _ = take()
        }

        /// Returns the values that the callbacks of the list read, and the callbacks of the monitors of objects.
        func take() -> (list: [String], objects: [String]) {
            let objects = zip(["Ann", "Bob", "Cat", "Dan", "Eve"], transcripts).flatMap { name, transcript in
                transcript.take().map { "\(name) \($0)" }
            }
            return (reader.take(), objects)
        }

        /// Returns another stack on the same store.
        func otherStack() throws -> DataStack { try test.otherStack() }

        func look(_ look: Look) async throws {
            switch look {
            case .flush: transaction.flush()
            case .commit: try transaction.commitAndWait()
            case .commitWithCompletion:
                let error = await withCheckedContinuation { continuation in
                    transaction.commit { continuation.resume(returning: $0) }
                }
                #expect(error == nil)
            case .undo, .redo: transaction.undo()
            case .rollback: transaction.rollback()
            case .refresh: transaction.refreshAndMergeAllObjects()
            }
            guard look == .redo else { return }
            _ = take()
            try test.edit("Ann") { $0.age += 1 }
            transaction.redo()
        }
    }

    /// Commits changes of four people.
    ///
    /// Ann gets another age and a second pet, Bob becomes too old for the list, Cat is deleted, and Dan gets a
    /// friend.
    private func overtake(_ stack: DataStack) throws {
        try stack.perform(synchronous: { transaction in
            let people = try transaction.fetchAll(From<Person>().orderBy(.ascending(\.$name)))
            people[0].age = 11
            transaction.create(Into<Pet>()).master = people[0]
            people[1].age = 60
            transaction.delete(people[2])
            people[3].friends = [people[0]]
        })
    }

    @Test(.pins("OBS-24", "OBS-28", "TX-45"), arguments: looks)
    func `monitors of an unsafe transaction report changes that other transactions have saved`(
        _ backend: TestBackend, _ look: Look
    ) async throws {
        let draft = try Draft(backend)
        try overtake(draft.test.stack)
        #expect(draft.people[0].age == 1 && draft.take() == ([], []))
        try await draft.look(look)
        let told = draft.take()
        if look == .redo {
            #expect(
                told.list == [
                    "0 will: Ann 12, Dan 4, Eve 5", "update Ann 12 2 [\"Bob\"]", "update Eve 5 0 []",
                ])
            #expect(
                told.objects == ["Ann will Ann -", "Ann did [\"age\"] -", "Eve will Eve -", "Eve did [\"city\"] -"])
            return
        }
        let eve = [.undo, .rollback].contains(look) ? ["update Eve 5 0 []"] : []
        #expect(
            told.list == [
                "0 will: Ann 11, Bob 60, Cat 3, Dan 4, Eve 5", "delete Bob false", "delete Cat true",
                "update Ann 11 2 [\"Bob\"]", "update Dan 4 0 [\"Ann\"]",
            ] + eve)
        #expect(
            told.objects == [
                "Ann will Ann -", "Ann did [\"age\", \"friendOf\", \"pets\"] -", "Bob will Bob -",
                "Bob did [\"age\"] -",
                "Cat will Cat -", "Cat deleted Cat true true", "Dan will Dan -", "Dan did [\"friends\"] -",
            ] + (eve.isEmpty ? [] : ["Eve will Eve -", "Eve did [\"city\"] -"]))
        #expect(draft.people[2].isDeleted && draft.monitors[2].isObjectDeleted)
        draft.transaction.flush()
        #expect(draft.take() == ([], []))
    }

    @Test(.pins("OBS-24", "TX-45"), arguments: TestBackend.allCases)
    func `monitors of an unsafe transaction report changes that another stack has saved`(
        _ backend: TestBackend
    ) throws {
        let draft = try Draft(backend)
        let other = try draft.otherStack()
        #expect(draft.people.allSatisfy { $0.pets.count < 2 && $0.friends.count < 2 })
        try overtake(other)
        draft.transaction.refreshAndMergeAllObjects()
        let told = draft.take()
        #expect(
            told.list == [
                "0 will: Ann 11, Bob 60, Cat 3, Dan 4, Eve 5", "delete Bob false", "delete Cat true",
                "update Ann 11 2 [\"Bob\"]", "update Dan 4 0 [\"Ann\"]",
            ])
        #expect(told.objects.contains("Dan did [\"friends\"] -"))
        try other.perform(synchronous: { transaction in
            try transaction.fetchOne(From<Person>().where(\.$name == "Dan"))?.age = 5
        })
        draft.transaction.flush()
        #expect(draft.take().list == ["0 will: Ann 11, Dan 5, Eve 5", "update Dan 5 0 [\"Ann\"]"])
        other.unsafeRemoveAllPersistentStoresAndWait()
    }

    @Test(.pins("OBS-28", "TX-45"), arguments: TestBackend.allCases)
    func `monitors of a child report relationships that its parent and other transactions change`(
        _ backend: TestBackend
    ) throws {
        let draft = try Draft(backend)
        let child = draft.transaction.beginUnsafe()
        let list = child.monitorList(From<Person>().orderBy(.ascending(\.$name)))
        let reader = Reader()
        list.addObserver(reader)
        draft.people[0].friends = []
        child.flush()
        #expect(
            reader.take() == ["0 will: Ann 1, Bob 2, Cat 3, Dan 4, Eve 5", "update Ann 1 1 []", "update Bob 2 0 []"])
        try draft.transaction.commitAndWait()
        child.flush()
        #expect(reader.take() == [])
        try draft.test.edit("Dan") { $0.friends = [$0] }
        child.flush()
        #expect(reader.take() == ["0 will: Ann 1, Bob 2, Cat 3, Dan 4, Eve 5", "update Dan 4 0 [\"Dan\"]"])
        let own = try #require(try child.fetchOne(From<Person>().where(\.$name == "Bob")))
        own.friends = [own]
        child.flush()
        #expect(reader.take() == ["0 will: Ann 1, Bob 2, Cat 3, Dan 4, Eve 5", "update Bob 2 0 [\"Bob\"]"])
        _ = draft.take()
        try child.commitAndWait()
        #expect(reader.take() == [])
        draft.transaction.flush()
        #expect(draft.take().list.contains("update Bob 2 0 [\"Bob\"]"))
        child.flush()
        #expect(reader.take() == [])
    }

    @Test(.pins("OBS-28"), arguments: TestBackend.allCases)
    func `refreshing a stack reports relationships that another stack has changed to its lists`(
        _ backend: TestBackend
    ) throws {
        let draft = try Draft(backend)
        let list = draft.test.stack.monitorList(From<Person>().orderBy(.ascending(\.$name)))
        let reader = Reader()
        list.addObserver(reader)
        #expect(list.objectsInAllSections().map(\.friends.count) == [1, 0, 0, 0, 0])
        let other = try draft.otherStack()
        try other.perform(synchronous: { transaction in
            let people = try transaction.fetchAll(From<Person>().orderBy(.ascending(\.$name)))
            people[3].friends = [people[0]]
        })
        draft.test.stack.refreshAndMergeAllObjects()
        #expect(reader.take() == ["0 will: Ann 1, Bob 2, Cat 3, Dan 4, Eve 5", "update Dan 4 0 [\"Ann\"]"])
        other.unsafeRemoveAllPersistentStoresAndWait()
    }

    @Test(.pins("OBS-28"), arguments: TestBackend.allCases)
    func `a list reports changed relationships even if its queue is too late for single commits`(
        _ backend: TestBackend
    ) async throws {
        let test = try Town.filled(backend, ["Ann": 1, "Bob": 2])
        let list = test.stack.monitorList(From<Person>().orderBy(.ascending(\.$name)))
        let reader = Reader()
        list.addObserver(reader)
        let stack = test.stack
        let done = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            do {
                for number in 0..<40 {
                    try stack.perform(
                        synchronous: { transaction in
                            for _ in 0..<(number == 0 ? 1 : 600) { transaction.create(Into<Pet>()).age = number }
                            guard number == 3 else { return }
                            let people = try transaction.fetchAll(From<Person>().orderBy(.ascending(\.$name)))
                            people[1].friends = [people[0]]
                        }, waitForAllObservers: false)
                }
            } catch {
                Issue.record(error)
            }
            done.signal()
        }
        done.wait()
        // The 23,401 pets exceed the limit of the backlog. One record represents their commits.
        #expect(test.stack.backlog.size < 16_384)
        _ = try test.stack.fetchCount(From<Person>())
        test.stack.letTurnsRun()
        #expect(reader.take().filter { $0.hasPrefix("update") } == ["update Ann 1 0 []", "update Bob 2 0 [\"Ann\"]"])
    }

    @Test(.pins("OBS-28"), arguments: TestBackend.allCases, [20, 80])
    func `a refresh and an undone deletion read the relationships of all objects together`(
        _ backend: TestBackend, _ count: Int
    ) throws {
        let test = try ProbedStack(backend, Town.schema)
        try test.stack.perform(synchronous: { transaction in
            let people = (0..<count).map { number in
                let person = transaction.create(Into<Person>())
                person.age = number
                transaction.create(Into<Pet>()).master = person
                return person
            }
            for (person, friend) in zip(people, people.dropFirst()) { person.friends = [friend] }
        })
        let draft = test.stack.beginUnsafe(supportsUndo: true)
        let list = draft.monitorList(From<Person>().orderBy(.ascending(\.$age)))
        // The objects are fetched one by one, so that each one is a batch of its own.
        let people = try (0..<count).map { age in try #require(try draft.fetchOne(From<Person>().where(\.$age == age)))
        }
        func requestCount(_ body: () -> Void) -> Int {
            _ = test.store.takeRequests()
            body()
            return test.store.takeRequests().count
        }
        #expect(people.allSatisfy { $0.pets.count == 1 && $0.friends.count < 2 })
        #expect(requestCount { draft.refreshAndMergeAllObjects() } < 15)
        for person in people.prefix(count / 2) { draft.delete(person) }
        #expect(requestCount { draft.flush() } < 15)
        #expect(list.numberOfObjects() == count / 2)
        #expect(requestCount { draft.undo() } < 15)
        #expect(list.numberOfObjects() == count)
        draft.refreshAndMergeAllObjects()
        #expect(requestCount { draft.redo() } < 15)
        #expect(list.numberOfObjects() == count / 2)
    }

    @Test(.pins("TX-44"), arguments: TestBackend.allCases)
    func `a flush of a child does not change the parent`(_ backend: TestBackend) throws {
        let test = try Town.filled(backend, ["Ann": 1])
        let parent = test.stack.beginUnsafe()
        let (middle, child) = (parent.beginUnsafe(), parent.beginUnsafe().beginUnsafe())
        func ann(_ source: UnsafeDataTransaction) throws -> Person {
            try #require(try source.fetchOne(From<Person>().where(\.$name == "Ann")))
        }
        let lists = [middle, child].map { $0.monitorList(From<Person>().orderBy(.ascending(\.$name))) }
        for draft in [middle, child] { try ann(draft).age = 99 }
        try test.edit("Ann") { $0.city = "Oslo" }
        let own = try ann(parent)
        for draft in [middle, child] {
            draft.flush()
            #expect(own.age == 1 && own.city == "Oslo" && !parent.hasChanges)
            try ann(draft).age = 100
            #expect(own.age == 1)
        }
        #expect(lists.map { $0[0].age } == [100, 100])
        try parent.commitAndWait()
        #expect(try test.person("Ann")?.age == 1)
    }

    @Test(.pins("TX-28"), arguments: TestBackend.allCases)
    func `redo keeps the changes of other transactions that a flush has shown`(_ backend: TestBackend) throws {
        let test = try Town.filled(backend, ["Ann": 1, "Bob": 2])
        let draft = test.stack.beginUnsafe(supportsUndo: true)
        let list = draft.monitorList(From<Person>().orderBy(.ascending(\.$name)))
        let (ann, bob) = (list[0], list[1])
        draft.flush { (ann.age, bob.age) = (5, 6) }
        draft.undo()
        try test.edit("Ann") { $0.city = "Oslo" }
        try test.delete("Bob")
        draft.flush()
        #expect(ann.city == "Oslo" && ann.age == 1 && bob.isDeleted)
        draft.redo()
        #expect(ann.city == "Oslo" && ann.age == 5 && bob.isDeleted && list.numberOfObjects() == 1)
        try draft.commitAndWait()
        #expect(
            try test.stack.fetchAll(From<Person>()).map { "\($0.name) \($0.age) \($0.city ?? "")" } == ["Ann 5 Oslo"])
    }

    @Test(.pins("OBS-28"), arguments: TestBackend.allCases, [Look.flush, .commit])
    func `changes that a list missed because of a failed read are reported at the next flush`(
        _ backend: TestBackend, _ look: Look
    ) throws {
        let test = try ProbedStack(backend, Town.schema)
        try test.stack.perform(synchronous: { transaction in
            for name in ["Ann", "Bob"] { transaction.create(Into<Person>()).name = name }
        })
        let draft = test.stack.beginUnsafe()
        let list = draft.monitorList(From<Person>().orderBy(.ascending(\.$name)))
        let reader = Reader()
        list.addObserver(reader)
        try test.stack.perform(synchronous: { transaction in
            let people = try transaction.fetchAll(From<Person>().orderBy(.ascending(\.$name)))
            people[0].friends = [people[1]]
        })
        test.store.fail(.read)
        let recording = try RecordingLogger.record("A list could not be fetched again") {
            if look == .flush { draft.flush() } else { try draft.commitAndWait() }
        }
        #expect(recording.entries.count == 1 && reader.take() == [])
        draft.flush()
        #expect(reader.take() == ["0 will: Ann 0, Bob 0", "update Ann 0 0 [\"Bob\"]", "update Bob 0 0 []"])
        try draft.commitAndWait()
    }

    @Test(.pins("OBS-28")) func `with too many owners only the changed relationships are recorded, not their owners`()
        throws
    {
        let layout = try #require(TestStack(.memory, Town.schema).stack._graph.layout.entities.first)
        let relationship = try #require(layout.relationships.first)
        let other = try #require(layout.relationships.last)
        func id(_ key: Int64) -> ObjectID { ObjectID(storage: 1, key: key) }
        var touched = TouchedRelations(limit: 3)
        for key in 1...3 as ClosedRange<Int64> { touched.insert(relationship, of: id(key)) }
        #expect(touched.ofAny.isEmpty && touched.relationships(of: id(4), layout) == [])
        touched.insert(relationship, of: id(4))
        #expect(touched.byOwner.isEmpty && touched.relationships(of: id(9), layout) == [relationship])
        var merged = TouchedRelations(limit: 3)
        merged.insert(other, of: id(1))
        merged.merge(touched)
        #expect(merged.relationships(of: id(1), layout) == [relationship, other])
        #expect(merged.relationships(of: id(2), layout) == [relationship] && !merged.isEmpty)
    }
}
