import Coffer
import CofferStorage
import CofferTransactions
import Foundation
import TestSupport
import Testing

private typealias Person = Town.Person

/// Lists show the commits of another stack after they are fetched again.
@MainActor
struct OtherStackTests {
    /// Five people, and another stack on the same store.
    private struct Pair {
        let test: TestStack
        let other: DataStack

        @MainActor
        init(_ backend: TestBackend) throws {
            test = try Town.filled(backend, ["Ann": 1, "Bob": 2, "Cat": 3, "Dan": 4, "Eve": 5])
            other = DataStack(Town.schema)
            if backend == .memory {
                let store = test.stack._graph.stores[0].storage
                try other.addStorageAndWait(store)
            } else {
                try TestStack.addStore(backend, to: other, in: test.directory)
            }
        }

        /// Changes Bob's age to 52 and Dan's to -1, deletes Cat, and creates Zoe.
        @MainActor
        func commitElsewhere() throws {
            try other.perform(synchronous: { transaction in
                func person(_ name: String) throws -> Person {
                    try #require(try transaction.fetchOne(From<Person>().where(\.$name == name)))
                }
                try person("Bob").age = 52
                try person("Dan").age = -1
                transaction.delete(try person("Cat"))
                transaction.create(Into<Person>()).name = "Zoe"
            })
        }
    }

    /// An observer that reads the objects inside its callbacks.
    private final class Reader: ListObjectObserver {
        typealias ListEntityType = Town.Person

        var lines: [String] = []

        func listMonitorWillChange(_ monitor: ListMonitor<Person>) {}
        func listMonitorDidChange(_ monitor: ListMonitor<Person>) {}
        func listMonitorDidRefetch(_ monitor: ListMonitor<Person>) {}
        func listMonitor(_ monitor: ListMonitor<Person>, didInsertObject object: Person, toIndexPath: IndexPath) {
            lines.append("insert \(object.name) \(object.age)")
        }
        func listMonitor(_ monitor: ListMonitor<Person>, didUpdateObject object: Person, atIndexPath: IndexPath) {
            lines.append("update \(object.name) \(object.age) \(object.label)")
        }
        func listMonitor(_ monitor: ListMonitor<Person>, didDeleteObject object: Person, fromIndexPath: IndexPath) {
            lines.append("delete \(object.name) \(object.age) \(object.isDeleted)")
        }
        func listMonitor(
            _ monitor: ListMonitor<Person>, didMoveObject object: Person, fromIndexPath: IndexPath,
            toIndexPath: IndexPath
        ) {
            lines.append("move \(object.name) \(object.age)")
        }
    }

    /// A list that is fetched again after each commit, because it has a limit.
    private static let clauses = From<Person>().where(\.$age >= 0).orderBy(.ascending(\.$name)).tweak {
        $0.fetchLimit = 10
    }

    @Test(.pins("OBS-24"), arguments: TestBackend.allCases)
    func `live objects and a list show the same changes of another stack`(
        _ backend: TestBackend
    ) throws {
        let pair = try Pair(backend)
        let people = try pair.test.stack.fetchAll(From<Person>().orderBy(.ascending(\.$name)))
        #expect(people.map(\.label) == ["Ann (1)", "Bob (2)", "Cat (3)", "Dan (4)", "Eve (5)"])
        let list = pair.test.stack.monitorList(Self.clauses)
        let reader = Reader()
        list.addObserver(reader)
        try pair.commitElsewhere()
        #expect(people.map(\.age) == [1, 2, 3, 4, 5])
        try pair.test.edit("Ann") { $0.age = 11 }
        #expect(
            reader.lines.sorted() == [
                "delete Cat 3 true", "delete Dan -1 false", "insert Zoe 0", "update Ann 11 Ann (11)",
                "update Bob 52 Bob (52)",
            ])
        #expect(people.map(\.age) == [11, 52, 3, -1, 5])
        #expect(people.map(\.isDeleted) == [false, false, true, false, false])
        #expect(list.objectsInAllSections().map(\.label) == ["Ann (11)", "Bob (52)", "Eve (5)", "Zoe (0)"])
    }

    @Test(.pins("OBS-24"), arguments: TestBackend.allCases)
    func `a new list and a refetched list show changes that another stack has saved`(
        _ backend: TestBackend
    ) async throws {
        let pair = try Pair(backend)
        let people = try pair.test.stack.fetchAll(From<Person>().orderBy(.ascending(\.$name)))
        let old = pair.test.stack.monitorList(From<Person>().orderBy(.ascending(\.$name)))
        try pair.commitElsewhere()
        let new = pair.test.stack.monitorList(Self.clauses)
        #expect(new.objectsInAllSections().map(\.age) == [1, 52, 5, 0])
        #expect(people.map(\.age) == [1, 52, 3, 4, 5])
        old.refetch(Where<Person>(\.$age >= 0), OrderBy<Person>(.ascending(\.$name)))
        await pair.test.onViewQueue()
        #expect(old.objectsInAllSections().map(\.age) == [1, 52, 5, 0])
        #expect(people.map(\.age) == [1, 52, 3, -1, 5])
        #expect(people.map(\.isDeleted) == [false, false, true, false, false])
    }

    @Test(.pins("OBS-71"), arguments: TestBackend.allCases)
    func `snapshots of a list's items show changes that another stack has saved`(_ backend: TestBackend) throws {
        let pair = try Pair(backend)
        let list = pair.test.stack.publishList(Self.clauses)
        func ages() -> [Int?] { list.snapshot.map { $0.snapshot?.$age } }
        let publishers = Array(list.snapshot)
        #expect(ages() == [1, 2, 3, 4, 5])
        try pair.commitElsewhere()
        #expect(ages() == [1, 2, 3, 4, 5])
        try pair.test.edit("Ann") { $0.age = 11 }
        #expect(ages() == [11, 52, 5, 0])
        #expect(publishers[1].snapshot?.$age == 52)
        #expect(publishers[1].object?.age == 52)
    }

    /// A list may already have reported the object, although the observers of the object were not called.
    @Test(.pins("OBS-40"), arguments: TestBackend.allCases)
    func `a refresh of the stack calls observers of objects that a list has already refreshed`(
        _ backend: TestBackend
    ) throws {
        let pair = try Pair(backend)
        let bob = try #require(try pair.test.person("Bob"))
        let cat = try #require(try pair.test.person("Cat"))
        let monitors = [bob, cat].map(pair.test.stack.monitorObject)
        let transcripts = monitors.map { _ in ObjectMonitorTests.Transcript() }
        for (monitor, transcript) in zip(monitors, transcripts) { monitor.addObserver(transcript) }
        let list = pair.test.stack.monitorList(Self.clauses)
        try pair.commitElsewhere()
        try pair.test.edit("Ann") { $0.age = 11 }
        #expect(list.numberOfObjects() == 4)
        #expect(transcripts.allSatisfy { $0.take().isEmpty })
        pair.test.stack.refreshAndMergeAllObjects()
        let lines = transcripts.map { $0.take() }
        #expect(lines[0].contains { $0.contains("age") }, "\(lines)")
        #expect(monitors[1].isObjectDeleted)
    }
}
