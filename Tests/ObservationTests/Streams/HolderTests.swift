import Coffer
import Observation
import TestSupport
import Testing

/// Lists and objects as the Observation framework sees them.
@MainActor
struct HolderTests {
    /// A counter of the framework's notifications.
    private final class Changes: Sendable {
        nonisolated(unsafe) var count = 0
    }

    /// Counts the next change of a property that the closure reads.
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    private func track(_ changes: Changes, _ read: () -> Void) {
        withObservationTracking(read) { changes.count += 1 }
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @Test(.pins("OBS-50"), arguments: TestBackend.allCases)
    func `a view that reads a live list is notified of each commit that changes the list`(
        _ backend: TestBackend
    ) throws {
        let test = try Town.filled(backend, ["Ann": 1])
        let list = LiveList(test.stack.publishList(From<Town.Person>().orderBy(.ascending(\.$name))))
        let changes = Changes()
        track(changes) { #expect(list.snapshot.text == "Ann") }
        try test.stack.perform(synchronous: { _ = $0.create(Into<Town.Pet>()) })
        #expect(changes.count == 0)
        try test.add("Bob", 2)
        #expect(changes.count == 1 && list.snapshot.text == "Ann Bob")
        track(changes) { _ = list.snapshot.count }
        try test.edit("Ann") { $0.name = "Cat" }
        #expect(changes.count == 2 && list.snapshot.text == "Bob Cat")
        // The framework reports one change for each call of `track`.
        try test.add("Dan", 4)
        #expect(changes.count == 2)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @Test(.pins("OBS-70", "OBS-73"), arguments: TestBackend.allCases)
    func `a view that reads a live object is notified of its changes and its deletion`(
        _ backend: TestBackend
    ) throws {
        let test = try Town.filled(backend, ["Ann": 1, "Bob": 2])
        let ann = LiveObject(test.stack.publishObject(try #require(try test.person("Ann"))))
        let changes = Changes()
        track(changes) { #expect(ann.$name == "Ann" && ann.$label == "Ann (1)" && ann.$mood?.colour == "grey") }
        try test.edit("Bob") { $0.age = 3 }
        #expect(changes.count == 0)
        try test.edit("Ann") { ($0.age, $0.mood) = (2, .init(colour: "red")) }
        #expect(changes.count == 1 && ann.$age == 2 && ann.$label == "Ann (2)" && ann.$mood?.colour == "red")
        track(changes) { _ = ann.snapshot }
        try test.delete("Ann")
        #expect(changes.count == 2 && ann.snapshot == nil && ann.$name == nil)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @Test(.pins("OBS-51"), arguments: TestBackend.allCases)
    func `a holder keeps its publisher alive, and nothing keeps the holder alive`(
        _ backend: TestBackend
    ) throws {
        let test = try Town.filled(backend, ["Ann": 1])
        let ann = try #require(try test.person("Ann")).objectID()
        weak var list: LiveList<Town.Person>?
        weak var object: LiveObject<Town.Person>?
        weak var publisher: ListPublisher<Town.Person>?
        do {
            let newList = LiveList(test.stack.publishList(From<Town.Person>().orderBy(.ascending(\.$name))))
            let newObject = LiveObject<Town.Person>(test.stack.publishObject(ann))
            (list, object, publisher) = (newList, newObject, newList.publisher)
            try test.edit("Ann") { $0.age = 2 }
            #expect(publisher != nil && newObject.$age == 2)
        }
        #expect(list == nil && object == nil && publisher == nil)
        try test.edit("Ann") { $0.age = 3 }
    }
}
