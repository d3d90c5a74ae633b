import Coffer
import TestSupport
import Testing

private typealias Person = Town.Person
private typealias Pet = Town.Pet

/// The reports of relationships and undone deletions to monitors of an unsafe transaction.
@MainActor
struct UnsafeRelationTests {
    /// A transaction with Ann, Bob and Ann's dog Rex, and the monitors of these objects.
    private struct Draft {
        let test: TestStack
        let transaction: UnsafeDataTransaction
        let ann: Town.Person
        let bob: Town.Person
        let rex: Town.Pet
        let monitors: [ObjectMonitor<Town.Person>]
        let transcripts: [ObjectMonitorTests.Transcript]
        let list: ListMonitor<Town.Person>
        let listTranscript = ListTranscript()

        @MainActor
        init(_ backend: TestBackend) throws {
            test = try Town.filled(backend, ["Ann": 1, "Bob": 2])
            try test.stack.perform(synchronous: { transaction in
                transaction.create(Into<Pet>()).master = try transaction.fetchOne(
                    From<Person>().where(\.$name == "Ann"))
            })
            transaction = test.stack.beginUnsafe(supportsUndo: true)
            let people = try transaction.fetchAll(From<Person>().orderBy(.ascending(\.$name)))
            (ann, bob) = (people[0], people[1])
            rex = try #require(try transaction.fetchOne(From<Pet>()))
            monitors = people.map(transaction.monitorObject)
            transcripts = monitors.map { _ in ObjectMonitorTests.Transcript() }
            for (monitor, transcript) in zip(monitors, transcripts) { monitor.addObserver(transcript) }
            list = transaction.monitorList(From<Person>(), OrderBy<Person>(.ascending(\.$name)))
            list.addObserver(listTranscript)
        }

        /// Returns the callbacks of Ann's and Bob's monitors and of the list: `Ann did ["pets"] -, update Ann @0,0`.
        @MainActor
        func take() -> String {
            let objects = zip(["Ann", "Bob"], transcripts).flatMap { name, transcript in
                transcript.take().filter { !$0.hasPrefix("will") }.map { "\(name) \($0)" }
            }
            let listed = listTranscript.take().filter { !$0.hasPrefix("will") && !$0.hasPrefix("did") }
            return (objects + listed).joined(separator: ", ")
        }
    }

    private let bothPets = "Ann did [\"pets\"] -, Bob did [\"pets\"] -, update Ann @0,0, update Bob @0,1"
    private let annPets = "Ann did [\"pets\"] -, update Ann @0,0"
    private let bobPets = "Bob did [\"pets\"] -, update Bob @0,1"

    @Test(.pins("TX-45"), arguments: TestBackend.allCases)
    func `monitors of an unsafe transaction report the old and the new owner`(
        _ backend: TestBackend
    ) throws {
        let draft = try Draft(backend)
        draft.transaction.flush { draft.rex.master = draft.bob }
        #expect(draft.take() == bothPets)
        draft.transaction.flush()
        #expect(draft.take() == "")
        draft.transaction.undo()
        #expect(draft.take() == bothPets)
        draft.transaction.redo()
        #expect(draft.take() == bothPets)
        draft.transaction.flush { draft.rex.master = nil }
        #expect(draft.take() == bobPets)
        draft.transaction.flush { draft.rex.name = "Max" }
        #expect(draft.take() == "")
        draft.transaction.rollback()
        #expect(draft.take() == annPets)
        draft.transaction.flush { draft.transaction.delete(draft.rex) }
        #expect(draft.take() == annPets)
        draft.transaction.undo()
        #expect(draft.take() == annPets)
    }

    @Test(.pins("TX-45"), arguments: TestBackend.allCases)
    func `a commit reports only relationship changes that no flush has reported`(_ backend: TestBackend) throws {
        let draft = try Draft(backend)
        draft.transaction.flush { draft.rex.master = draft.bob }
        _ = draft.take()
        try draft.transaction.commitAndWait()
        #expect(draft.take() == "")
        let max = draft.transaction.create(Into<Pet>())
        max.master = draft.ann
        draft.ann.friends = [draft.bob]
        try draft.transaction.commitAndWait()
        #expect(
            draft.take() == "Ann did [\"friends\", \"pets\"] -, Bob did [\"friendOf\"] -, "
                + "update Ann @0,0, update Bob @0,1")
        draft.transaction.flush()
        #expect(draft.take() == "")
        draft.transaction.flush { max.master = nil }
        #expect(draft.take() == annPets)
    }

    @Test(.pins("TX-45"), arguments: TestBackend.allCases)
    func `a commit with a completion reports only relationship changes that no flush has reported`(
        _ backend: TestBackend
    ) async throws {
        let draft = try Draft(backend)
        draft.transaction.flush { draft.rex.master = draft.bob }
        _ = draft.take()
        draft.ann.friends = [draft.bob]
        let error = await withCheckedContinuation { continuation in
            draft.transaction.commit { continuation.resume(returning: $0) }
        }
        #expect(error == nil)
        #expect(
            draft.take() == "Ann did [\"friends\"] -, Bob did [\"friendOf\"] -, update Ann @0,0, update Bob @0,1")
    }

    @Test(.pins("TX-45"), arguments: TestBackend.allCases)
    func `undoing a reported change that could not be saved is reported`(
        _ backend: TestBackend
    ) throws {
        let draft = try Draft(backend)
        draft.transaction.flush { draft.rex.master = draft.bob }
        _ = draft.take()
        let rex = draft.rex.objectID()
        try draft.test.stack.perform(synchronous: { $0.delete(objectIDs: [rex]) })
        #expect(throws: CoreStoreError.self) { try draft.transaction.commitAndWait() }
        draft.transaction.undo()
        #expect(draft.take() == bothPets)
    }

    @Test(.pins("TX-45"), arguments: TestBackend.allCases)
    func `monitors of an unsafe transaction report changes of members and of their order`(
        _ backend: TestBackend
    ) throws {
        let draft = try Draft(backend)
        let eve = draft.transaction.create(Into<Person>())
        draft.transaction.flush { draft.ann.friends = [draft.bob] }
        let linked = "Ann did [\"friends\"] -, Bob did [\"friendOf\"] -"
        #expect(draft.take().hasPrefix(linked))
        let appended = "Ann did [\"friends\"] -, update Ann @0,0"
        draft.transaction.flush { draft.ann.friends.append(eve) }
        #expect(draft.take().hasPrefix("Ann did [\"friends\"] -"))
        let reorder = appended.replacing(" @0,0", with: " @0,1")
        draft.transaction.flush { draft.ann.friends.reverse() }
        #expect(draft.take() == reorder)
        draft.transaction.undo()
        #expect(draft.ann.friends == [draft.bob, eve])
        #expect(draft.take() == reorder)
        draft.transaction.redo()
        #expect(draft.take() == reorder)
        draft.transaction.flush { draft.ann.friends = [eve] }
        #expect(draft.take() == "\(linked), update Ann @0,1, update Bob @0,2")
        draft.transaction.rollback()
        #expect(draft.take().hasPrefix("Ann did [\"friends\"] -"))
        #expect(draft.ann.friends == [])
    }

    @Test(.pins("TX-45"), arguments: TestBackend.allCases)
    func `monitors of a parent transaction report relationships that its child changed`(
        _ backend: TestBackend
    ) throws {
        let draft = try Draft(backend)
        let child = draft.transaction.beginUnsafe()
        let rex = try #require(child.edit(draft.rex))
        rex.master = child.edit(draft.bob)
        try child.commitAndWait()
        draft.transaction.flush()
        #expect(draft.take() == bothPets)
    }

    @Test(.pins("TX-45"), arguments: TestBackend.allCases)
    func `an object monitor shows its object again after the deletion is undone`(_ backend: TestBackend) throws {
        let draft = try Draft(backend)
        let monitor = draft.monitors[1]
        let all =
            "Bob did [\"age\", \"city\", \"friendOf\", \"friends\", \"isMember\", \"mood\", \"name\", \"pets\", "
            + "\"spouse\", \"spouseOf\", \"title\"] -"
        for _ in 0..<2 {
            draft.transaction.flush { draft.transaction.delete(draft.bob) }
            #expect(monitor.isObjectDeleted && draft.take() == "Bob deleted Bob true true, delete Bob @0,1")
            draft.transaction.flush()
            #expect(monitor.isObjectDeleted && draft.take() == "")
            draft.transaction.undo()
            #expect(monitor.object === draft.bob && !monitor.isObjectDeleted)
            #expect(draft.take() == "\(all), insert Bob @0,1")
            draft.transaction.flush { draft.bob.age += 1 }
            #expect(draft.take() == "Bob did [\"age\"] -, update Bob @0,1")
        }
        draft.transaction.flush { draft.transaction.delete(draft.bob) }
        _ = draft.take()
        draft.transaction.rollback()
        #expect(monitor.object === draft.bob && draft.take() == "\(all), insert Bob @0,1")
        draft.transaction.delete(draft.bob)
        try draft.transaction.commitAndWait()
        #expect(draft.take() == "Bob deleted Bob true true, delete Bob @0,1")
        draft.transaction.undo()
        #expect(monitor.isObjectDeleted && draft.take() == "")
    }
}
