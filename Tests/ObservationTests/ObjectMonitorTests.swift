import Coffer
import TestSupport
import Testing

private typealias Person = Town.Person

@MainActor
struct ObjectMonitorTests {
    final class Transcript: ObjectObserver {
        private var lines: [String] = []

        func take() -> [String] {
            defer { lines = [] }
            return lines
        }

        func objectMonitor(
            _ monitor: ObjectMonitor<Town.Person>, willUpdateObject object: Town.Person, sourceIdentifier: Any?
        ) {
            lines.append("will \(object.name) \(sourceIdentifier ?? "-")")
        }
        func objectMonitor(
            _ monitor: ObjectMonitor<Town.Person>, didUpdateObject object: Town.Person,
            changedPersistentKeys: Set<KeyPathString>, sourceIdentifier: Any?
        ) {
            lines.append("did \(changedPersistentKeys.sorted()) \(sourceIdentifier ?? "-")")
        }
        func objectMonitor(_ monitor: ObjectMonitor<Town.Person>, didDeleteObject object: Town.Person) {
            lines.append("deleted \(object.name) \(object.isDeleted) \(monitor.isObjectDeleted)")
        }
    }

    @Test(.pins("OBS-40"), arguments: TestBackend.allCases)
    func `every observer is called with the keys that changed`(_ backend: TestBackend) throws {
        let test = try Town.filled(backend, ["Ann": 1, "Bob": 2])
        let monitor = test.stack.monitorObject(try #require(try test.person("Ann")))
        let (one, other) = (Transcript(), Transcript())
        monitor.addObserver(one)
        monitor.addObserver(other)
        try test.edit("Ann", source: "me") { ($0.age, $0.city) = (2, "Oslo") }
        #expect(one.take() == ["will Ann me", "did [\"age\", \"city\"] me"])
        #expect(other.take() == ["will Ann me", "did [\"age\", \"city\"] me"])
        try test.stack.perform(synchronous: { transaction in
            transaction.create(Into<Town.Pet>()).master = try transaction.fetchOne(
                From<Person>().where(\.$name == "Ann"))
        })
        #expect(one.take() == ["will Ann -", "did [\"pets\"] -"])
        try test.edit("Ann") { $0.friends = [$0] }
        #expect(one.take() == ["will Ann -", "did [\"friendOf\", \"friends\"] -"])
        try test.edit("Bob") { $0.age = 9 }
        try test.edit("Ann") { $0.age += 0 }
        #expect(one.take() == [])
        monitor.removeObserver(one)
        try test.edit("Ann") { $0.isMember = true }
        #expect(one.take() == [] && other.take().count == 6)
    }

    @Test(.pins("OBS-41", "OBS-42"), arguments: TestBackend.allCases)
    func `a deletion is reported once, and the object is nil afterwards`(_ backend: TestBackend) throws {
        let test = try Town.filled(backend, ["Ann": 1])
        let ann = try #require(try test.person("Ann"))
        let monitor = test.stack.monitorObject(ann)
        let transcript = Transcript()
        monitor.addObserver(transcript)
        var idle: Idle? = Idle()
        monitor.addObserver(try #require(idle))
        idle = nil
        try test.delete("Ann")
        #expect(transcript.take() == ["will Ann -", "deleted Ann true true"])
        #expect(monitor.object == nil && monitor.isObjectDeleted)
        #expect(monitor.objectID() == ann.objectID())
        #expect(monitor.asReadOnly(in: test.stack) == nil && monitor.asSnapshot(in: test.stack) == nil)
    }

    final class Idle: ObjectObserver {
        typealias ObjectEntityType = Town.Person
    }

    @Test(.pins("OBS-43"), arguments: TestBackend.allCases)
    func `monitors of one object are not equal`(_ backend: TestBackend) throws {
        let test = try Town.filled(backend, ["Ann": 1])
        let ann = try #require(try test.person("Ann"))
        let (one, other) = (test.stack.monitorObject(ann), test.stack.monitorObject(ann))
        #expect(one == one && one != other && !(one ~= other) && Set([one, other]).count == 2)
        #expect(one.object === ann && one.cs_dataStack() === test.stack)
        #expect(one.asPublisher(in: test.stack) == ann.asPublisher(in: test.stack))
        #expect(try test.stack.fetchCount(From<Town.Pet>().where(\.$master == one)) == 0)
    }

    @Test(.pins("TX-45"), arguments: TestBackend.allCases)
    func `a monitor of an object in an unsafe transaction calls observers after a flush`(
        _ backend: TestBackend
    ) throws {
        let test = try Town.filled(backend, ["Ann": 1])
        let draft = test.stack.beginUnsafe()
        let ann = try #require(draft.edit(try test.person("Ann")))
        let monitor = draft.monitorObject(ann)
        let transcript = Transcript()
        monitor.addObserver(transcript)
        draft.flush { ann.age = 2 }
        #expect(transcript.take() == ["will Ann -", "did [\"age\"] -"])
        draft.flush { ann.age = 2 }
        #expect(transcript.take() == [])
        draft.flush { draft.delete(ann) }
        #expect(transcript.take() == ["will Ann -", "deleted Ann true true"])
    }
}
