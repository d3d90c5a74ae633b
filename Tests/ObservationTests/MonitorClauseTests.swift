import Coffer
import TestSupport
import Testing

private typealias Person = Town.Person

/// Monitors, publishers and lists in clauses.
@MainActor
struct MonitorClauseTests {
    @Test(.pins("CLS-44"), arguments: TestBackend.allCases)
    func `a to-one relationship is compared with publishers, snapshots and monitors`(
        _ backend: TestBackend
    ) throws {
        let test = try Town.filled(backend, ["Ann": 40, "Bob": 10])
        let (ann, bob) = (try #require(try test.person("Ann")), try #require(try test.person("Bob")))
        try test.stack.perform(synchronous: { transaction in
            for (name, master) in [("Rex", ann), ("Ada", bob)] {
                let dog = transaction.create(Into<Town.Pet>())
                (dog.name, dog.master) = (name, transaction.edit(master))
            }
            transaction.create(Into<Town.Pet>()).name = "Free"
        })
        let monitor = test.stack.monitorObject(ann)
        let publisher = ann.asPublisher(in: test.stack)
        let snapshot = try #require(ann.asSnapshot(in: test.stack))
        func names(_ clause: Where<Town.Pet>) throws -> [String] {
            try test.stack.fetchAll(From<Town.Pet>().where(clause).orderBy(.ascending(\.$name))).map(\.name)
        }
        let equal: [Where<Town.Pet>] = [
            \.$master == monitor, \.$master == publisher, \.$master == snapshot, Where { $0.$master == monitor },
            [monitor] ~= \.$master, Where("master == %@", monitor), Where("master IN %@", [monitor]),
        ]
        for clause in equal { #expect(try names(clause) == ["Rex"]) }
        let unequal: [Where<Town.Pet>] = [
            \.$master != monitor, \.$master != publisher, \.$master != snapshot, Where { $0.$master != monitor },
        ]
        for clause in unequal { #expect(try names(clause) == ["Ada", "Free"]) }
        let none: ObjectMonitor<Person>? = nil
        #expect(try names(\.$master == none) == ["Free"])
        #expect(try names(\.$master != none) == ["Ada", "Rex"])
    }

    @Test(.pins("CLS-97"), arguments: TestBackend.allCases)
    func `the section of nil has an empty name, whatever the key`(_ backend: TestBackend) throws {
        let test = try Town.filled(backend, ["Ann": 1])
        try test.stack.perform(synchronous: { transaction in
            transaction.create(Into<Town.Pet>()).name = "Free"
            let dog = transaction.create(Into<Town.Pet>())
            (dog.name, dog.master) = ("Rex", try transaction.fetchOne(From<Person>()))
        })
        let list = test.stack.publishList(
            From<Town.Pet>().sectionBy("master.name").orderBy(.ascending("master.name")))
        #expect(list.snapshot.sectionIDs == ["", "Ann"])
        let monitor = test.stack.monitorSectionedList(
            From<Town.Pet>().sectionBy("master.name", sectionIndexTransformer: { $0 == "" ? "none" : nil })
                .orderBy(.ascending("master.name")))
        #expect(monitor.sections().map(\.name) == ["", "Ann"])
        #expect(monitor.sectionIndexTitles() == ["none"])
    }

    @Test(.pins("CLS-66"), arguments: TestBackend.allCases)
    func `observing a list with sections but without an order logs an assertion`(_ backend: TestBackend) throws {
        let test = try Town.filled(backend, ["Ann": 1])
        let recording = RecordingLogger.record("'Pet' was observed without an order") {
            let monitor = test.stack.monitorSectionedList(From<Town.Pet>().sectionBy(\.$name))
            let list = test.stack.publishList(From<Town.Pet>().sectionBy(\.$name))
            #expect(monitor.numberOfObjects() == 0 && list.snapshot.numberOfItems == 0)
        }
        let text = "A list of 'Pet' was observed without an order. Add an 'orderBy'."
        #expect(recording.assertions == [text, text])
    }
}
