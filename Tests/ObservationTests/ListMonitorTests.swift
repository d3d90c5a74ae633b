import Coffer
import Foundation
import TestSupport
import Testing

private typealias Person = Town.Person

@MainActor
struct ListMonitorTests {
    private func byName(_ test: TestStack) -> ListMonitor<Person> {
        test.stack.monitorList(From<Person>().orderBy(.ascending(\.$name)))
    }

    private func byMembership(_ test: TestStack) -> ListMonitor<Person> {
        test.stack.monitorSectionedList(
            From<Person>().sectionBy(\.$isMember) { $0 == "1" ? "M" : nil }
                .orderBy(.ascending(\.$isMember), .ascending(\.$name))
        )
    }

    @Test(.pins("OBS-01", "CLS-66"), arguments: TestBackend.allCases)
    func `a monitor is filled at once, and logs an assertion without an order`(_ backend: TestBackend) throws {
        let test = try Town.filled(backend, ["Bob": 1, "Ann": 2])
        #expect(byName(test).text == "Ann Bob")
        #expect(test.stack.monitorList(From<Person>(), OrderBy<Person>(.descending(\.$name))).text == "Bob Ann")
        let recording = RecordingLogger.record("'Person' was observed without an order") {
            #expect(test.stack.monitorList(From<Person>().where(\.$age > 0)).text == "Bob Ann")
        }
        #expect(recording.assertions.count == 1)
    }

    @Test(.pins("OBS-01"), arguments: TestBackend.allCases)
    func `a monitor can be created asynchronously and is passed on the view queue`(_ backend: TestBackend) async throws
    {
        let test = try Town.filled(backend, ["Bob": 1, "Ann": 2])
        let texts = await withCheckedContinuation { continuation in
            test.stack.monitorSectionedList(
                createAsynchronously: { monitor in continuation.resume(returning: monitor.text) },
                From<Person>().sectionBy(\.$age).orderBy(.ascending(\.$age))
            )
        }
        #expect(texts == "1: Bob, 2: Ann")
    }

    @Test(.pins("OBS-02", "OBS-22", "OBS-23", "OBS-24", "OBS-27"), arguments: TestBackend.allCases)
    func `a commit reports the change of each object between willChange and didChange`(
        _ backend: TestBackend
    ) throws {
        let test = try Town.filled(backend, ["Bob": 1, "Cat": 2, "Dan": 3])
        let monitor = byMembership(test)
        let transcript = ListTranscript()
        monitor.addObserver(transcript)
        try test.add("Ann", source: "me")
        #expect(
            transcript.take() == ["will 0: Bob Cat Dan by me", "insert Ann @0,0", "did 0: Ann Bob Cat Dan by me"])
        try test.edit("Cat") { $0.isMember = true }
        #expect(
            transcript.take() == [
                "will 0: Ann Bob Cat Dan", "insert section 1 @1 of 1", "move Cat @0,2 to @1,0",
                "did 0: Ann Bob Dan, 1: Cat",
            ])
        try test.edit("Ann") { $0.isMember = true }
        #expect(
            transcript.take() == [
                "will 0: Ann Bob Dan, 1: Cat", "move Ann @0,0 to @1,0", "did 0: Bob Dan, 1: Ann Cat",
            ])
        try test.edit("Dan") { $0.age = 99 }
        #expect(
            transcript.take() == [
                "will 0: Bob Dan, 1: Ann Cat", "update Dan @0,1", "did 0: Bob Dan, 1: Ann Cat",
            ])
        try test.stack.perform(synchronous: { transaction in
            try transaction.deleteAll(From<Person>().where(\.$isMember == true))
            transaction.create(Into<Person>()).name = "Eve"
            try transaction.fetchOne(From<Person>().where(\.$name == "Bob"))?.name = "Zoe"
        })
        #expect(
            transcript.take() == [
                "will 0: Zoe Dan, 1: Ann Cat", "delete Ann @1,0", "delete Cat @1,1", "insert Eve @0,1",
                "move Zoe @0,0 to @0,2", "delete section 1 @1", "did 0: Dan Eve Zoe",
            ])
        try test.stack.perform(synchronous: { _ = $0.create(Into<Town.Pet>()) })
        let draft = test.stack.beginUnsafe()
        draft.create(Into<Person>()).name = "Draft"
        draft.flush()
        #expect(transcript.take() == [])
        try draft.commitAndWait()
        #expect(transcript.take().last == "did 0: Dan Draft Eve Zoe")
    }

    @Test(.pins("OBS-23"), arguments: TestBackend.allCases)
    func `an object that no longer matches is removed from the list and not deleted`(_ backend: TestBackend) throws {
        let test = try Town.filled(backend, ["Ann": 20, "Bob": 30])
        let monitor = test.stack.monitorList(From<Person>().where(\.$age >= 18).orderBy(.ascending(\.$name)))
        let transcript = ListTranscript()
        monitor.addObserver(transcript)
        try test.edit("Ann") { $0.age = 3 }
        #expect(transcript.take() == ["will Ann Bob", "remove Ann @0,0", "did Bob"])
    }

    @Test(.pins("OBS-03"), arguments: TestBackend.allCases)
    func `a list is read by places, with safe and unsafe accessors`(_ backend: TestBackend) throws {
        let test = try Town.filled(backend, ["Ann": 1, "Bob": 2, "Cat": 3])
        try test.edit("Bob") { $0.isMember = true }
        let monitor = byMembership(test)
        #expect(monitor[2].name == "Bob" && monitor[0, 1].name == "Cat" && monitor[[1, 0]].name == "Bob")
        #expect(monitor[safeIndex: 2]?.name == "Bob")
        #expect(monitor[safeSectionIndex: 1, safeItemIndex: 0] === monitor[2])
        #expect(monitor[safeIndexPath: [0, 0]] === monitor[0])
        #expect(monitor[safeIndex: 3] == nil && monitor[safeIndex: -1] == nil)
        #expect(monitor[safeSectionIndex: 2, safeItemIndex: 0] == nil && monitor[safeIndexPath: [1, 1]] == nil)
        #expect(monitor.numberOfObjects(in: 0) == 2 && monitor.numberOfObjects(safelyIn: 2) == nil)
        #expect(monitor.sectionInfo(safelyAt: 2) == nil && monitor.objects(safelyIn: 2) == nil)
        #expect(!monitor.hasObjects(in: 2) && monitor.hasObjects(in: 1))
        #expect(monitor.objects(in: 0).map(\.name) == ["Ann", "Cat"])
        #expect(monitor.objectsInAllSections().map(\.name) == ["Ann", "Cat", "Bob"])
        #expect(monitor[0] === (try test.person("Ann")))
    }

    @Test(.pins("OBS-04"), arguments: TestBackend.allCases)
    func `an empty list has no sections with SectionBy, and one section without it`(
        _ backend: TestBackend
    ) throws {
        let test = try Town.empty(backend)
        let (divided, whole) = (byMembership(test), byName(test))
        #expect(!divided.hasSections() && divided.numberOfSections() == 0 && divided.sections().isEmpty)
        #expect(whole.hasSections() && whole.numberOfSections() == 1 && whole.numberOfObjects(in: 0) == 0)
        #expect(!whole.hasObjects() && !whole.hasObjects(in: 0))
    }

    @Test(.pins("OBS-05"), arguments: TestBackend.allCases)
    func `the place of an object is nil if the object is not in the list`(_ backend: TestBackend) throws {
        let test = try Town.filled(backend, ["Ann": 1, "Bob": 2, "Cat": 3])
        try test.edit("Bob") { $0.isMember = true }
        let bob = try #require(try test.person("Bob"))
        #expect(byMembership(test).index(of: bob) == 2 && byMembership(test).indexPath(of: bob) == [1, 0])
        let others = test.stack.monitorList(From<Person>().where(\.$name != "Bob").orderBy(.ascending(\.$name)))
        #expect(others.index(of: bob) == nil && others.indexPath(of: bob) == nil)
        let few = test.stack.monitorList(From<Person>().orderBy(.ascending(\.$name)).limit(2))
        #expect(few.index(of: bob) == 1)
    }

    @Test(.pins("OBS-07"), arguments: TestBackend.allCases)
    func `a monitor equals itself, also after a refetch`(_ backend: TestBackend) throws {
        let test = try Town.filled(backend, ["Ann": 1])
        let (one, other) = (byName(test), byName(test))
        let pets = test.stack.monitorList(From<Town.Pet>().orderBy(.ascending(\.$name)))
        #expect(one == one && one != other && !(one ~= other) && !(one == pets) && Set([one, other]).count == 2)
    }

    @Test(.pins("OBS-06", "OBS-08"), arguments: TestBackend.allCases)
    func `a refetch replaces all clauses and calls observers before and after`(
        _ backend: TestBackend
    ) async throws {
        let test = try Town.filled(backend, ["Ann": 20, "Bob": 30, "Cat": 40])
        let monitor = test.stack.monitorSectionedList(
            From<Person>().sectionBy(\.$isMember).where(\.$age > 25).orderBy(.ascending(\.$name)))
        let transcript = ListTranscript()
        monitor.addObserver(transcript)
        monitor.refetch(OrderBy<Person>(.descending(\.$name)), sourceIdentifier: "me")
        #expect(monitor.isPendingRefetch && monitor.text == "0: Bob Cat")
        monitor.refetch(Where<Person>(\.$age < 35), OrderBy<Person>(.descending(\.$name)), sourceIdentifier: "me too")
        await test.onViewQueue()
        #expect(!monitor.isPendingRefetch)
        #expect(
            transcript.take() == [
                "will refetch 0: Bob Cat by me", "did refetch 0: Bob Ann by me", "did refetch 0: Bob Ann by me too",
            ])
        let recording = await RecordingLogger.record("'nothing_\(backend)'") {
            monitor.refetch(Where<Person>("nothing_\(backend) == 1"), OrderBy<Person>(.ascending(\.$name)))
            await test.onViewQueue()
        }
        #expect(recording.errors == ["The list could not be fetched. It stays as it is."])
        #expect(!monitor.isPendingRefetch && monitor.text == "0: Bob Ann")
    }

    @Test(.pins("OBS-09", "STO-21"), arguments: TestBackend.allCases)
    func `a monitor fetches again when a storage is added or removed`(_ backend: TestBackend) async throws {
        let test = try Town.filled(backend, ["Ann": 20])
        let monitor = byName(test)
        let transcript = ListTranscript()
        monitor.addObserver(transcript)
        test.stack.unsafeRemoveAllPersistentStoresAndWait()
        await test.onViewQueue()
        #expect(transcript.take() == ["will refetch Ann", "did refetch "])
        try test.addStore(configuration: nil)
        await test.onViewQueue()
        #expect(transcript.take() == ["will refetch ", backend == .memory ? "did refetch " : "did refetch Ann"])
        try test.add("Bob")
        #expect(transcript.take().last == (backend == .memory ? "did Bob" : "did Ann Bob"))
    }

    @Test(.pins("OBS-10", "CLS-98"), arguments: TestBackend.allCases)
    func `sections have index titles and can be found by an index title`(_ backend: TestBackend) throws {
        let test = try Town.empty(backend)
        for (name, city) in [("Ann", "Bergen"), ("Bob", "Bodø"), ("Cat", "Oslo"), ("Dan", "Rome")] {
            try test.add(name, city: city)
        }
        let monitor = test.stack.monitorSectionedList(
            From<Person>()
                .sectionBy(\.$city, sectionIndexTransformer: { $0 == "Rome" ? nil : $0.map { String($0.prefix(1)) } })
                .orderBy(.ascending(\.$city)))
        #expect(monitor.sectionIndexTitles() == ["B", "O"])
        #expect(monitor.sections().map(\.indexTitle) == ["B", "B", "O", nil])
        #expect(monitor.targetSection(forSectionIndexTitle: "B", at: 0) == 0)
        #expect(monitor.targetSection(forSectionIndexTitle: "O", at: 1) == 2)
        #expect(monitor.targetSection(forSectionIndexTitle: "?", at: 9) == 3)
        #expect(monitor.targetSection(forSectionIndexTitle: "?", at: 1) == 1)
        #expect(monitor.targetSection(forSectionIndexTitle: "?", at: -1) == 0)
        // If several sections have the title, the first one is returned, at any place of the title in the index.
        #expect(monitor.targetSection(forSectionIndexTitle: "B", at: 1) == 0)
        #expect(monitor.targetSection(forSectionIndexTitle: "O", at: 9) == 2)
        // In index paths, a list without sections has one section.
        #expect(byName(test).targetSection(forSectionIndexTitle: "B", at: 2) == 0)
        #expect(byMembership(test).sectionIndexTitles() == [])
        #expect(byName(test).sectionIndexTitles() == [])
    }

    @Test(.pins("OBS-25"), arguments: TestBackend.allCases)
    func `a section has a name, a title and its objects`(_ backend: TestBackend) throws {
        let test = try Town.filled(backend, ["Ann": 1, "Bob": 2])
        try test.edit("Bob") { $0.isMember = true }
        let info = byMembership(test).sectionInfo(at: 1)
        #expect(info.name == "1" && info.indexTitle == "M" && info.numberOfObjects == 1)
        #expect(info.objects?.first as? Person === (try test.person("Bob")))
        #expect(byMembership(test).sectionInfo(at: 0).indexTitle == nil)
    }

    @Test(.pins("OBS-26"), arguments: TestBackend.allCases)
    func `observers are called before the transaction's success closure`(_ backend: TestBackend) async throws {
        let test = try Town.filled(backend, ["Ann": 1])
        let monitor = byName(test)
        let transcript = ListTranscript()
        monitor.addObserver(transcript)
        let told = await withCheckedContinuation { continuation in
            test.stack.perform(
                asynchronous: { $0.create(Into<Person>()).name = "Bob" },
                success: { continuation.resume(returning: transcript.take().last) }, failure: { _ in }
            )
        }
        #expect(told == "did Ann Bob")
    }

    @Test(.pins("OBS-28"), arguments: TestBackend.allCases)
    func `an object whose related objects changed is updated`(_ backend: TestBackend) throws {
        let test = try Town.filled(backend, ["Ann": 1, "Bob": 2, "Cat": 3])
        let monitor = byName(test)
        let transcript = ListTranscript()
        monitor.addObserver(transcript)
        try test.stack.perform(synchronous: { transaction in
            transaction.create(Into<Town.Pet>()).master = try transaction.fetchOne(
                From<Person>().where(\.$name == "Bob"))
        })
        #expect(transcript.take().dropFirst().first == "update Bob @0,1")
        try test.edit("Ann") { ann in
            ann.friends = (try? ann.fetchSource()?.fetchAll(From<Person>().where(\.$name == "Cat"))) ?? []
        }
        #expect(transcript.take().dropFirst().dropLast() == ["update Ann @0,0", "update Cat @0,2"])
    }

    @Test(.pins("OBS-20", "OBS-21"), arguments: TestBackend.allCases)
    func `an observer receives the callbacks of its static type and is held weakly`(
        _ backend: TestBackend
    ) throws {
        let test = try Town.filled(backend, ["Ann": 1])
        let (monitor, other) = (byName(test), byMembership(test))
        let transcript = ListTranscript()
        func addPlainly<U: ListObserver>(_ observer: U) where U.ListEntityType == Person {
            monitor.addObserver(observer)
        }
        monitor.addObserver(transcript)
        addPlainly(transcript)
        try test.add("Bob")
        #expect(transcript.take() == ["will Ann", "did Ann Bob"])
        other.addObserver(transcript)
        try test.add("Cat")
        #expect(transcript.take().count == 5)
        monitor.removeObserver(transcript)
        var plain: PlainObserver? = PlainObserver()
        other.addObserver(try #require(plain))
        try test.add("Dan")
        #expect(transcript.take().count == 3 && plain?.count == 1)
        weak let gone = plain
        plain = nil
        #expect(gone == nil)
        try test.add("Eve")
    }

    final class PlainObserver: ListObserver {
        var count = 0
        func listMonitorDidChange(_ monitor: ListMonitor<Town.Person>) { count += 1 }
        func listMonitorDidRefetch(_ monitor: ListMonitor<Town.Person>) {}
    }

    @Test(.pins("TX-45"), arguments: TestBackend.allCases)
    func `a monitor of an unsafe transaction shows pending changes after a flush`(
        _ backend: TestBackend
    ) throws {
        let test = try Town.filled(backend, ["Ann": 1, "Bob": 2])
        let draft = test.stack.beginUnsafe(supportsUndo: true)
        let monitor = draft.monitorList(From<Person>().orderBy(.ascending(\.$name)))
        let transcript = ListTranscript()
        monitor.addObserver(transcript)
        let cat = draft.create(Into<Person>())
        draft.flush { cat.name = "Cat" }
        #expect(transcript.take() == ["will Ann Bob", "insert Cat @0,2", "did Ann Bob Cat"])
        draft.flush { cat.age = 5 }
        #expect(transcript.take() == ["will Ann Bob Cat", "update Cat @0,2", "did Ann Bob Cat"])
        draft.flush {}
        try draft.commitAndWait()
        #expect(transcript.take() == [])
        draft.flush { draft.delete(cat) }
        #expect(transcript.take() == ["will Ann Bob Cat", "delete Cat @0,2", "did Ann Bob"])
        draft.undo()
        #expect(transcript.take().last == "did Ann Bob Cat")
    }
}

extension TestStack {
    /// Waits for the blocks that are already on the view queue.
    func onViewQueue() async {
        await withCheckedContinuation { continuation in stack.viewQueue.async { continuation.resume() } }
    }
}
