import Coffer
import CofferStorage
import Dispatch
import Foundation
import TestSupport
import Testing

private typealias Person = Town.Person

/// Each callback of an observer has a form with the source, which by default calls the form without the source.
@MainActor
struct CallbackFormTests {
    /// An observer that implements the forms with a source.
    ///
    /// It implements forms without a source only if the protocol requires them. These forms must not be called.
    private final class Sourced: ListSectionObserver, ObjectObserver {
        typealias ListEntityType = Town.Person
        typealias ObjectEntityType = Town.Person
        private var lines: [String] = []

        func take() -> [String] {
            defer { lines = [] }
            return lines
        }

        private func note(_ line: String, _ source: Any?) {
            lines.append("\(line) \(source as? String ?? "-")\(DispatchQueue.isMainQueue ? "" : " elsewhere")")
        }

        func listMonitorWillChange(_ monitor: ListMonitor<Person>, sourceIdentifier: Any?) {
            note("will change", sourceIdentifier)
        }
        func listMonitorDidChange(_ monitor: ListMonitor<Person>) { note("plain", nil) }
        func listMonitorDidChange(_ monitor: ListMonitor<Person>, sourceIdentifier: Any?) {
            note("did change", sourceIdentifier)
        }
        func listMonitorWillRefetch(_ monitor: ListMonitor<Person>, sourceIdentifier: Any?) {
            note("will refetch", sourceIdentifier)
        }
        func listMonitorDidRefetch(_ monitor: ListMonitor<Person>) { note("plain", nil) }
        func listMonitorDidRefetch(_ monitor: ListMonitor<Person>, sourceIdentifier: Any?) {
            note("did refetch", sourceIdentifier)
        }
        func listMonitor(
            _ monitor: ListMonitor<Person>, didInsertObject object: Person, toIndexPath: IndexPath,
            sourceIdentifier: Any?
        ) {
            note("insert", sourceIdentifier)
        }
        func listMonitor(
            _ monitor: ListMonitor<Person>, didDeleteObject object: Person, fromIndexPath: IndexPath,
            sourceIdentifier: Any?
        ) {
            note("delete", sourceIdentifier)
        }
        func listMonitor(
            _ monitor: ListMonitor<Person>, didUpdateObject object: Person, atIndexPath: IndexPath,
            sourceIdentifier: Any?
        ) {
            note("update", sourceIdentifier)
        }
        func listMonitor(
            _ monitor: ListMonitor<Person>, didMoveObject object: Person, fromIndexPath: IndexPath,
            toIndexPath: IndexPath, sourceIdentifier: Any?
        ) {
            note("move", sourceIdentifier)
        }
        func listMonitor(
            _ monitor: ListMonitor<Person>, didInsertSection sectionInfo: SectionInfo, toSectionIndex: Int,
            sourceIdentifier: Any?
        ) {
            note("insert section", sourceIdentifier)
        }
        func listMonitor(
            _ monitor: ListMonitor<Person>, didDeleteSection sectionInfo: SectionInfo, fromSectionIndex: Int,
            sourceIdentifier: Any?
        ) {
            note("delete section", sourceIdentifier)
        }
        func objectMonitor(
            _ monitor: ObjectMonitor<Person>, willUpdateObject object: Person, sourceIdentifier: Any?
        ) {
            note("will update", sourceIdentifier)
        }
        func objectMonitor(
            _ monitor: ObjectMonitor<Person>, didUpdateObject object: Person,
            changedPersistentKeys: Set<KeyPathString>, sourceIdentifier: Any?
        ) {
            note("did update", sourceIdentifier)
        }
        func objectMonitor(_ monitor: ObjectMonitor<Person>, didDeleteObject object: Person, sourceIdentifier: Any?) {
            note("did delete", sourceIdentifier)
        }
    }

    /// An observer that implements the forms without a source.
    private final class Plain: ListSectionObserver, ObjectObserver {
        typealias ListEntityType = Town.Person
        typealias ObjectEntityType = Town.Person
        private var lines: [String] = []

        func take() -> [String] {
            defer { lines = [] }
            return lines
        }

        func listMonitorWillChange(_ monitor: ListMonitor<Person>) { lines.append("will change") }
        func listMonitorDidChange(_ monitor: ListMonitor<Person>) { lines.append("did change") }
        func listMonitorWillRefetch(_ monitor: ListMonitor<Person>) { lines.append("will refetch") }
        func listMonitorDidRefetch(_ monitor: ListMonitor<Person>) { lines.append("did refetch") }
        func listMonitor(
            _ monitor: ListMonitor<Person>, didInsertObject object: Person, toIndexPath: IndexPath
        ) {
            lines.append("insert")
        }
        func listMonitor(
            _ monitor: ListMonitor<Person>, didDeleteObject object: Person, fromIndexPath: IndexPath
        ) {
            lines.append("delete")
        }
        func listMonitor(_ monitor: ListMonitor<Person>, didUpdateObject object: Person, atIndexPath: IndexPath) {
            lines.append("update")
        }
        func listMonitor(
            _ monitor: ListMonitor<Person>, didMoveObject object: Person, fromIndexPath: IndexPath,
            toIndexPath: IndexPath
        ) {
            lines.append("move")
        }
        func listMonitor(
            _ monitor: ListMonitor<Person>, didInsertSection sectionInfo: SectionInfo, toSectionIndex: Int
        ) {
            lines.append("insert section")
        }
        func listMonitor(
            _ monitor: ListMonitor<Person>, didDeleteSection sectionInfo: SectionInfo, fromSectionIndex: Int
        ) {
            lines.append("delete section")
        }
        func objectMonitor(_ monitor: ObjectMonitor<Person>, willUpdateObject object: Person) {
            lines.append("will update")
        }
        func objectMonitor(
            _ monitor: ObjectMonitor<Person>, didUpdateObject object: Person,
            changedPersistentKeys: Set<KeyPathString>
        ) {
            lines.append("did update")
        }
        func objectMonitor(_ monitor: ObjectMonitor<Person>, didDeleteObject object: Person) {
            lines.append("did delete")
        }
    }

    /// An observer that implements only the callbacks without a default implementation.
    private final class Silent: ListSectionObserver, ObjectObserver {
        typealias ListEntityType = Town.Person
        typealias ObjectEntityType = Town.Person
        func listMonitorDidChange(_ monitor: ListMonitor<Person>) {}
        func listMonitorDidRefetch(_ monitor: ListMonitor<Person>) {}
    }

    @Test(.pins("TX-08", "OBS-21", "OBS-26"), arguments: TestBackend.allCases)
    func `each callback of a list is called once, on the view queue, with the source`(
        _ backend: TestBackend
    ) async throws {
        let test = try Town.filled(backend, ["Ann": 1])
        _ = DispatchQueue.isMainQueue
        let monitor = test.stack.monitorSectionedList(
            From<Person>().sectionBy(\.$isMember).orderBy(.ascending(\.$isMember), .ascending(\.$name)))
        let (sourced, plain, silent) = (Sourced(), Plain(), Silent())
        monitor.addObserver(sourced)
        monitor.addObserver(plain)
        monitor.addObserver(silent)
        func check(
            _ events: [String], _ change: @escaping @Sendable (AsynchronousDataTransaction) throws -> Void
        ) async throws {
            let lines = ["will change"] + events + ["did change"]
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                test.stack.perform(
                    asynchronous: change, sourceIdentifier: "me",
                    completion: { result in
                        // Observers were called before the transaction's completion.
                        #expect(sourced.take() == lines.map { "\($0) me" } && plain.take() == lines)
                        continuation.resume(with: result.mapError { $0 as any Error })
                    })
            }
        }
        try await check(["insert"]) { $0.create(Into<Town.Person>()).name = "Bob" }
        try await check(["insert section", "insert"]) { transaction in
            let cat = transaction.create(Into<Town.Person>())
            (cat.name, cat.isMember) = ("Cat", true)
        }
        try await check(["update"]) { try $0.fetchOne(From<Town.Person>())?.age = 9 }
        try await check(["move"]) { try $0.fetchOne(From<Town.Person>().where(\.$name == "Ann"))?.name = "Zoe" }
        try await check(["delete", "delete section"]) { transaction in
            try transaction.deleteAll(From<Town.Person>().where(\.$name == "Cat"))
        }
        monitor.refetch(OrderBy<Person>(.ascending(\.$name)), sourceIdentifier: "me")
        await test.onViewQueue()
        #expect(sourced.take() == ["will refetch me", "did refetch me"])
        #expect(plain.take() == ["will refetch", "did refetch"])
        try test.add("Eve")
        #expect(sourced.take() == ["will change -", "insert -", "did change -"])
    }

    @Test(.pins("TX-08", "OBS-21", "OBS-41"), arguments: TestBackend.allCases)
    func `each callback of an object is called once, with the source`(
        _ backend: TestBackend
    ) async throws {
        let test = try Town.filled(backend, ["Ann": 1])
        _ = DispatchQueue.isMainQueue
        let monitor = test.stack.monitorObject(try #require(try test.person("Ann")))
        let (sourced, plain, silent) = (Sourced(), Plain(), Silent())
        monitor.addObserver(sourced)
        monitor.addObserver(plain)
        monitor.addObserver(silent)
        try test.edit("Ann", source: "me") { $0.age = 2 }
        #expect(
            sourced.take() == ["will update me", "did update me"] && plain.take() == ["will update", "did update"])
        try test.edit("Ann") { $0.age = 3 }
        #expect(sourced.take() == ["will update -", "did update -"])
        _ = plain.take()
        let isGone = await withCheckedContinuation { continuation in
            test.stack.perform(
                asynchronous: { try $0.deleteAll(From<Town.Person>()) }, sourceIdentifier: "me",
                success: { _ in continuation.resume(returning: monitor.object == nil && monitor.isObjectDeleted) },
                failure: { _ in continuation.resume(returning: false) })
        }
        #expect(isGone)
        #expect(
            sourced.take() == ["will update me", "did delete me"] && plain.take() == ["will update", "did delete"])
    }

    @Test(.pins("OBS-42"), arguments: TestBackend.allCases)
    func `a monitor of an object does not retain its observers`(_ backend: TestBackend) throws {
        let test = try Town.filled(backend, ["Ann": 1])
        let monitor = test.stack.monitorObject(try #require(try test.person("Ann")))
        var observer: Sourced? = Sourced()
        weak let gone = observer
        monitor.addObserver(try #require(observer))
        observer = nil
        #expect(gone == nil)
        try test.edit("Ann") { $0.age = 2 }
        #expect(monitor.object?.age == 2)
    }

    @Test(.pins("TX-06"), arguments: TestBackend.allCases)
    func `a list shows a commit when a waiting transaction returns, and otherwise in a later turn`(
        _ backend: TestBackend
    ) async throws {
        let test = try Town.filled(backend, ["Ann": 1])
        let from = From<Person>().orderBy(.ascending(\.$name))
        let (monitor, list) = (test.stack.monitorList(from), test.stack.publishList(from))
        let plain = Plain()
        monitor.addObserver(plain)
        func counts() -> [Int] { [monitor.numberOfObjects(), list.snapshot.count] }
        try test.add("Bob")
        #expect(counts() == [2, 2] && plain.take() == ["will change", "insert", "did change"])
        try test.stack.perform(
            synchronous: { $0.create(Into<Person>()).name = "Cat" }, waitForAllObservers: false)
        #expect(counts() == [2, 2] && plain.take() == [])
        await test.onViewQueue()
        #expect(counts() == [3, 3] && plain.take() == ["will change", "insert", "did change"])
    }

    @Test(.pins("TX-07"), arguments: TestBackend.allCases)
    func `a transaction on another thread returns after the observers were called`(
        _ backend: TestBackend
    ) async throws {
        let test = try Town.filled(backend, ["Ann": 1])
        let stack = test.stack
        let lines = Locked<[String]>([])
        let observer = ListTranscript()
        let list = stack.publishList(From<Person>().orderBy(.ascending(\.$name)))
        list.addObserver(observer) { list in lines.withLock { $0.append("told \(list.snapshot.count)") } }
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            Thread.detachNewThread {
                for _ in 0..<20 {
                    _ = try? stack.perform(synchronous: { _ = $0.create(Into<Town.Person>()) })
                    lines.withLock { $0.append("returned") }
                }
                continuation.resume()
            }
        }
        #expect(lines.withLock { $0 } == (2...21).flatMap { ["told \($0)", "returned"] })
    }
}

extension DispatchQueue {
    private static let mainKey = DispatchSpecificKey<Bool>()
    private static let isMarked: Bool = {
        DispatchQueue.main.setSpecific(key: mainKey, value: true)
        return true
    }()

    /// Whether the current code runs on the main queue, on any thread.
    fileprivate static var isMainQueue: Bool { isMarked && getSpecific(key: mainKey) == true }
}
