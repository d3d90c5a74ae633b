import Coffer
import Foundation
import TestSupport
import Testing

private typealias Person = Town.Person

/// Monitors of an unsafe transaction observe the context of the transaction.
@MainActor
struct UnsafeMonitorTests {
    @Test(.pins("TX-45", "OBS-02"), arguments: TestBackend.allCases)
    func `lists of an unsafe transaction show pending objects after a flush`(
        _ backend: TestBackend
    ) throws {
        let test = try Town.filled(backend, ["Ann": 1, "Bob": 2])
        let draft = test.stack.beginUnsafe()
        let clauses = From<Person>().sectionBy(\.$isMember).orderBy(.ascending(\.$isMember), .ascending(\.$name))
        let monitors = [
            draft.monitorSectionedList(clauses),
            draft.monitorSectionedList(
                From<Person>(), SectionBy<Person>(\.$isMember),
                OrderBy<Person>(.ascending(\.$isMember), .ascending(\.$name))),
        ]
        let outside = test.stack.monitorSectionedList(clauses)
        let plain = draft.monitorList(From<Person>(), OrderBy<Person>(.descending(\.$name)))
        let eve = draft.create(Into<Person>())
        draft.flush { (eve.name, eve.isMember) = ("Eve", true) }
        for monitor in monitors { #expect(monitor.text == "0: Ann Bob, 1: Eve") }
        #expect(plain.text == "Eve Bob Ann" && outside.text == "0: Ann Bob")
        try draft.commitAndWait()
        for monitor in monitors { #expect(monitor.text == "0: Ann Bob, 1: Eve") }
        #expect(outside.text == "0: Ann Bob, 1: Eve")
    }

    @Test(.pins("OBS-02"), arguments: TestBackend.allCases)
    func `a tweak can exclude pending objects from a list of an unsafe transaction`(
        _ backend: TestBackend
    ) throws {
        let test = try Town.filled(backend, ["Ann": 1, "Bob": 2])
        let draft = test.stack.beginUnsafe()
        let clauses = From<Person>().orderBy(.ascending(\.$name))
        let saved = draft.monitorList(clauses.tweak { $0.includesPendingChanges = false })
        let all = draft.monitorList(clauses)
        let eve = draft.create(Into<Person>())
        draft.flush { eve.name = "Eve" }
        #expect(saved.text == "Ann Bob" && all.text == "Ann Bob Eve")
        try draft.commitAndWait()
        #expect(saved.text == "Ann Bob Eve" && all.text == "Ann Bob Eve")
    }

    @Test(.pins("TX-45"), arguments: TestBackend.allCases)
    func `a list of an unsafe transaction can be created asynchronously`(_ backend: TestBackend) async throws {
        let test = try Town.filled(backend, ["Ann": 1])
        let draft = test.stack.beginUnsafe()
        draft.create(Into<Person>()).name = "Eve"
        let text = await withCheckedContinuation { continuation in
            draft.monitorList(
                createAsynchronously: { continuation.resume(returning: $0.text) },
                From<Person>().orderBy(.ascending(\.$name)))
        }
        #expect(text == "Ann Eve")
    }

    @Test(.pins("TX-45"), arguments: TestBackend.allCases)
    func `a monitor of an object shows the values of the unsafe transaction`(_ backend: TestBackend) throws {
        let test = try Town.filled(backend, ["Ann": 1])
        let draft = test.stack.beginUnsafe()
        let ann = try #require(draft.edit(try test.person("Ann")))
        let monitor = draft.monitorObject(ann)
        draft.flush { ann.age = 2 }
        #expect(monitor.object?.age == 2)
        #expect(try test.person("Ann")?.age == 1)
    }
}
