import Coffer
import Foundation
import TestSupport
import Testing

private typealias Person = Town.Person

/// The static type with which an observer is added determines its callbacks.
@MainActor
struct ObserverLevelTests {
    private func byMembership(_ test: TestStack) -> ListMonitor<Person> {
        test.stack.monitorSectionedList(
            From<Person>().sectionBy(\.$isMember).orderBy(.ascending(\.$isMember), .ascending(\.$name)))
    }

    private func addAsListObserver<U: ListObserver>(
        _ observer: U, to monitor: ListMonitor<Person>
    ) where U.ListEntityType == Person {
        monitor.addObserver(observer)
    }

    private func addAsObjectObserver<U: ListObjectObserver>(
        _ observer: U, to monitor: ListMonitor<Person>
    ) where U.ListEntityType == Person {
        monitor.addObserver(observer)
    }

    private func addAsSectionObserver<U: ListSectionObserver>(
        _ observer: U, to monitor: ListMonitor<Person>
    ) where U.ListEntityType == Person {
        monitor.addObserver(observer)
    }

    @Test(.pins("OBS-20"), arguments: TestBackend.allCases)
    func `an observer receives the callbacks of the protocol it was last added with`(
        _ backend: TestBackend
    ) throws {
        let test = try Town.filled(backend, ["Ann": 1])
        let monitor = byMembership(test)
        let transcript = ListTranscript()
        func kinds(_ name: String) throws -> [String] {
            try test.stack.perform(synchronous: { transaction in
                let person = transaction.create(Into<Person>())
                (person.name, person.isMember) = (name, true)
            })
            defer { try? test.delete(name) }
            let kinds = transcript.take().map { $0.split(separator: " ").prefix(2).joined(separator: " ") }
            return kinds.filter { $0.hasPrefix("insert") }
        }
        addAsListObserver(transcript, to: monitor)
        #expect(try kinds("Bob") == [])
        _ = transcript.take()
        addAsObjectObserver(transcript, to: monitor)
        #expect(try kinds("Cat") == ["insert Cat"])
        _ = transcript.take()
        addAsSectionObserver(transcript, to: monitor)
        #expect(try kinds("Dan") == ["insert section", "insert Dan"])
        _ = transcript.take()
        addAsListObserver(transcript, to: monitor)
        #expect(try kinds("Eve") == [])
    }

    @Test(.pins("OBS-20"), arguments: TestBackend.allCases)
    func `an observer can watch several monitors, and a monitor can have several observers`(
        _ backend: TestBackend
    ) throws {
        let test = try Town.filled(backend, ["Ann": 1])
        let monitors = [byMembership(test), byMembership(test)]
        let transcripts = [ListTranscript(), ListTranscript()]
        for monitor in monitors { for transcript in transcripts { monitor.addObserver(transcript) } }
        try test.add("Bob")
        for transcript in transcripts {
            #expect(transcript.take().filter { $0.hasPrefix("insert Bob") }.count == 2)
        }
        monitors[0].removeObserver(transcripts[0])
        try test.add("Cat")
        #expect(transcripts[0].take().filter { $0.hasPrefix("insert Cat") }.count == 1)
        #expect(transcripts[1].take().filter { $0.hasPrefix("insert Cat") }.count == 2)
    }

    @Test(.pins("OBS-20"), arguments: TestBackend.allCases)
    func `a monitor does not retain its observers`(_ backend: TestBackend) throws {
        let test = try Town.filled(backend, ["Ann": 1])
        let monitor = byMembership(test)
        var transcript: ListTranscript? = ListTranscript()
        weak let gone = transcript
        if let transcript {
            addAsListObserver(transcript, to: monitor)
            addAsSectionObserver(transcript, to: monitor)
        }
        transcript = nil
        #expect(gone == nil)
        try test.add("Bob")
        #expect(monitor.numberOfObjects() == 2)
    }

    @Test(.pins("OBS-02"), arguments: TestBackend.allCases)
    func `a list shows committed changes and no pending changes`(_ backend: TestBackend) async throws {
        let test = try Town.filled(backend, ["Ann": 1, "Bob": 2])
        let monitor = test.stack.monitorList(From<Person>().orderBy(.ascending(\.$name)))
        let transcript = ListTranscript()
        monitor.addObserver(transcript)
        let draft = test.stack.beginUnsafe()
        draft.create(Into<Person>()).name = "Cat"
        draft.edit(try test.person("Ann"))?.name = "Abe"
        draft.delete(try test.person("Bob"))
        draft.flush()
        #expect(monitor.text == "Ann Bob" && transcript.take() == [])
        monitor.refetch(OrderBy<Person>(.descending(\.$name)))
        await test.onViewQueue()
        #expect(monitor.text == "Bob Ann")
        try draft.commitAndWait()
        #expect(monitor.text == "Cat Abe")
    }

    @Test(.pins("OBS-02"), arguments: TestBackend.allCases)
    func `a tweak can change the batch size and the limit of a list`(_ backend: TestBackend) throws {
        let test = try Town.filled(backend, ["Ann": 1, "Bob": 2, "Cat": 3])
        let monitor = test.stack.monitorList(
            From<Person>().orderBy(.ascending(\.$name)).tweak {
                $0.fetchBatchSize = 1
                $0.fetchLimit = 2
            })
        #expect(monitor.text == "Ann Bob")
        try test.delete("Ann")
        #expect(monitor.text == "Bob Cat")
    }
}
