import Coffer
import TestSupport
import Testing

private typealias Person = Town.Person
private typealias Pet = Town.Pet

/// Observers of objects that delete rules change at a commit.
///
/// Other transactions related these objects to a deleted object before its deletion was saved.
@MainActor
struct RuleAtCommitObserverTests {
    private final class Owner {}

    private final class DogTranscript: ObjectObserver {
        var lines: [String] = []

        func objectMonitor(
            _ monitor: ObjectMonitor<Town.Pet>, didUpdateObject object: Town.Pet,
            changedPersistentKeys: Set<KeyPathString>
        ) {
            lines.append(changedPersistentKeys.sorted().joined(separator: " "))
        }
    }

    @Test(.pins("TX-46", "OBS-40"), arguments: TestBackend.allCases)
    func `observers are called for links that others added to an object before its deletion was saved`(
        _ backend: TestBackend
    ) throws {
        let test = try Town.filled(backend, ["Ann": 1, "Bob": 2, "Cat": 3])
        let transaction = test.stack.beginUnsafe()
        transaction.delete(try transaction.fetchOne(From<Person>().where(\.$name == "Ann")))
        let ann = try #require(try test.person("Ann"))
        try test.edit("Bob") { bob in bob.friends = [bob.context(ann)] }
        try test.edit("Cat") { cat in cat.context(ann).friends = [cat] }
        let (bob, cat) = (try #require(try test.person("Bob")), try #require(try test.person("Cat")))
        #expect(bob.friends == [ann])
        #expect(cat.friendOf == [ann])
        let (list, listed) = (
            test.stack.monitorList(From<Person>().orderBy(.ascending(\.$name))), ListTranscript()
        )
        list.addObserver(listed)
        let monitors = [bob, cat].map(test.stack.monitorObject)
        let transcripts = monitors.map { _ in ObjectMonitorTests.Transcript() }
        for (monitor, transcript) in zip(monitors, transcripts) { monitor.addObserver(transcript) }
        let publisher = test.stack.publishObject(bob)
        let owner = Owner()
        var counts: [Int] = []
        publisher.addObserver(owner, notifyInitial: true) { counts.append($0.snapshot?.$friends.count ?? -1) }
        try transaction.commitAndWait()
        #expect(bob.friends.isEmpty)
        #expect(cat.friendOf.isEmpty)
        #expect(transcripts[0].take() == ["will Bob -", "did [\"friends\"] -"])
        #expect(transcripts[1].take() == ["will Cat -", "did [\"friendOf\"] -"])
        #expect(counts == [1, 0])
        let changes = listed.take().filter { !$0.hasPrefix("will") && !$0.hasPrefix("did") }
        #expect(changes == ["delete Ann @0,0", "update Bob @0,1", "update Cat @0,2"])
    }

    @Test(.pins("TX-46", "OBS-40"), arguments: TestBackend.allCases)
    func `observers are called for references set to an object before its deletion was saved`(
        _ backend: TestBackend
    ) throws {
        let test = try Town.filled(backend, ["Ann": 1])
        let transaction = test.stack.beginUnsafe()
        transaction.delete(try transaction.fetchOne(From<Person>()))
        try test.stack.perform(synchronous: { transaction in
            transaction.create(Into<Pet>()).master = try transaction.fetchOne(From<Person>())
        })
        let rex = try #require(try test.stack.fetchOne(From<Pet>()))
        #expect(rex.master?.name == "Ann")
        let (monitor, transcript) = (test.stack.monitorObject(rex), DogTranscript())
        monitor.addObserver(transcript)
        let list = test.stack.publishList(From<Pet>().where(\.$master == nil).orderBy(.ascending(\.$name)))
        let owner = Owner()
        var counts: [Int] = []
        list.addObserver(owner) { counts.append($0.snapshot.numberOfItems) }
        try transaction.commitAndWait()
        #expect(rex.master == nil)
        #expect(transcript.lines == ["master"])
        #expect(counts == [1])
    }
}

extension Town.Person {
    /// Returns the object of another object's row in the transaction of this object.
    fileprivate func context(_ other: Town.Person) -> Town.Person {
        guard let found = (fetchSource() as? BaseDataTransaction)?.edit(other) else { return self }
        return found
    }
}
