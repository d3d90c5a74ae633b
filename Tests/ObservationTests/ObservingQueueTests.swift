import Coffer
import Dispatch
import Foundation
import TestSupport
import Testing

/// Observation belongs to the view queue.
///
/// A call on another queue is a mistake. The mistake is reported, and most calls are then carried out on the view
/// queue.
// Serialized: a recording contains all reports about the class, from any test.
@Suite(.serialized)
struct ObservingQueueTests {
    private final class Robin: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
        @Field.Stored("plumage") var plumage: String = ""
    }

    /// An observer that counts its callbacks.
    private final class Counter: ListObserver, ObjectObserver {
        var count = 0
        var refetches: [String] = []
        func listMonitorDidChange(_ monitor: ListMonitor<Robin>) { count += 1 }
        func listMonitorWillRefetch(_ monitor: ListMonitor<Robin>) { refetches.append("will") }
        func listMonitorDidRefetch(_ monitor: ListMonitor<Robin>) { refetches.append("did") }
        func objectMonitor(
            _ monitor: ObjectMonitor<Robin>, didUpdateObject object: Robin, changedPersistentKeys: Set<KeyPathString>
        ) {
            count += 1
        }
    }

    /// A stack with a view queue of its own, two objects, and the monitors and publishers of these objects.
    private struct Aviary {
        let queue = DispatchQueue(label: "view")
        let test: TestStack
        let monitor: ListMonitor<Robin>
        let object: ObjectMonitor<Robin>
        let list: ListPublisher<Robin>
        let publisher: ObjectPublisher<Robin>

        init(_ backend: TestBackend) throws {
            let schema = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Robin>("Robin")])
            let test = try TestStack(backend, schema, viewQueue: queue)
            self.test = test
            try test.stack.perform(synchronous: { transaction in
                for name in ["Ann", "Bob"] { transaction.create(Into<Robin>()).name = name }
            })
            let from = From<Robin>().orderBy(.ascending(\.$name))
            (monitor, object, list, publisher) = try queue.sync {
                let robin = try #require(try test.stack.fetchOne(from))
                return (
                    test.stack.monitorList(from), test.stack.monitorObject(robin), test.stack.publishList(from),
                    test.stack.publishObject(robin)
                )
            }
        }

        func rename() throws {
            try test.stack.perform(synchronous: { transaction in
                try transaction.fetchOne(From<Robin>().orderBy(.ascending(\.$name)))?.name += "a"
            })
        }
    }

    private let mistake =
        "'Robin' was observed outside the queue of its data stack or transaction. Use that queue."

    @Test(.pins("STO-30", "OBS-42"), arguments: TestBackend.allCases)
    func `adding an observer off the view queue logs an assertion and still adds the observer`(
        _ backend: TestBackend
    ) throws {
        let aviary = try Aviary(backend)
        let counter = Counter()
        let adding = RecordingLogger.record("'Robin' was observed") {
            aviary.monitor.addObserver(counter)
            aviary.object.addObserver(counter)
            aviary.list.addObserver(counter) { _ in counter.count += 1 }
            aviary.publisher.addObserver(counter) { _ in counter.count += 1 }
        }
        #expect(adding.entries == Array(repeating: .assertion(mistake), count: 4))
        try aviary.rename()
        #expect(aviary.queue.sync { counter.count } == 4)
    }

    @Test(.pins("STO-30"), arguments: TestBackend.allCases)
    func `observing a field off the view queue logs one assertion and observes nothing`(
        _ backend: TestBackend
    ) throws {
        let aviary = try Aviary(backend)
        let robin = try #require(aviary.queue.sync { aviary.object.object })
        nonisolated(unsafe) var count = 0
        let other = RecordingLogger.record("'plumage'") {
            let observing = RecordingLogger.record("'Robin' was observed") {
                let observation = robin.observe(\.$plumage) { _, _ in count += 1 }
                observation.invalidate()
            }
            #expect(observing.entries == [.assertion(mistake)])
        }
        #expect(other.entries.isEmpty)
        try aviary.test.stack.perform(synchronous: { try #require($0.edit(robin)).plumage = "red" })
        #expect(aviary.queue.sync { count } == 0)
    }

    /// A place where a program removes observers.
    enum Remover: CaseIterable {
        case viewQueue, otherThread, transaction, whileQueueIsBusy
    }

    @Test(.pins("OBS-42"), arguments: TestBackend.allCases, Remover.allCases)
    func `an observer can be removed on any thread and is not called for later commits`(
        _ backend: TestBackend, _ remover: Remover
    ) throws {
        let aviary = try Aviary(backend)
        let (counter, other) = (Counter(), Counter())
        aviary.queue.sync {
            for observer in [counter, other] {
                aviary.monitor.addObserver(observer)
                aviary.object.addObserver(observer)
                aviary.list.addObserver(observer) { _ in observer.count += 1 }
                aviary.publisher.addObserver(observer) { _ in observer.count += 1 }
            }
        }
        func remove() {
            aviary.monitor.removeObserver(counter)
            aviary.object.removeObserver(counter)
            aviary.list.removeObserver(counter)
            aviary.publisher.removeObserver(counter)
        }
        let removing = try RecordingLogger.record("'Robin'") {
            switch remover {
            case .viewQueue: aviary.queue.sync { remove() }
            case .otherThread: remove()
            case .transaction:
                try aviary.test.stack.perform(synchronous: { transaction in
                    remove()
                    try transaction.fetchOne(From<Robin>().orderBy(.ascending(\.$name)))?.name += "b"
                })
            case .whileQueueIsBusy:
                // The removal returns although the view queue waits for the removal.
                let isRemoved = DispatchSemaphore(value: 0)
                aviary.queue.async { isRemoved.wait() }
                remove()
                isRemoved.signal()
            }
        }
        #expect(removing.entries == [])
        try aviary.rename()
        aviary.queue.sync {
            #expect(counter.count == 0)
            #expect(other.count == (remover == .transaction ? 8 : 4))
        }
    }

    @Test(.pins("STO-30", "OBS-08"), arguments: TestBackend.allCases)
    func `a refetch off the view queue logs an assertion and fetches on the view queue`(
        _ backend: TestBackend
    ) throws {
        let aviary = try Aviary(backend)
        let counter = Counter()
        aviary.queue.sync {
            aviary.monitor.addObserver(counter)
            aviary.list.addObserver(counter) { _ in counter.count += 1 }
        }
        let order = OrderBy<Robin>(.descending(\.$name))
        let recording = try RecordingLogger.record("'Robin' was observed") {
            aviary.monitor.refetch(order)
            try aviary.list.refetch(From<Robin>().orderBy(.descending(\.$name)))
            #expect(throws: CoreStoreError.self) {
                try aviary.list.refetch(From<Robin>().where(format: "beak == 1").orderBy(.ascending(\.$name)))
            }
        }
        #expect(recording.entries == Array(repeating: .assertion(mistake), count: 3))
        aviary.queue.sync {}
        aviary.queue.sync {
            #expect(aviary.monitor.map(\.name) == ["Bob", "Ann"] && counter.refetches == ["will", "did"])
            #expect(aviary.list.snapshot.map { $0.$name } == ["Bob", "Ann"] && counter.count == 1)
        }
    }

    @Test(.pins("OBS-06"), arguments: TestBackend.allCases)
    func `reading a list off the view queue during a refetch logs an assertion`(
        _ backend: TestBackend
    ) throws {
        let aviary = try Aviary(backend)
        nonisolated(unsafe) let monitor = aviary.monitor
        // On the view queue, the list can be read with its former content.
        aviary.queue.sync {
            let recording = RecordingLogger.record("list of 'Robin'") {
                monitor.refetch(OrderBy<Robin>(.descending(\.$name)))
                #expect(monitor.isPendingRefetch && monitor.map(\.name) == ["Ann", "Bob"])
                #expect(monitor.numberOfObjects() == 2 && monitor.sections().count == 1)
            }
            #expect(recording.entries == [])
            let text = "A list of 'Robin' was read outside the view queue while it was fetched again."
            for read in [
                { _ = monitor.numberOfObjects() }, { _ = monitor.hasObjects() }, { _ = monitor.numberOfObjects(in: 0) },
                { _ = monitor.numberOfObjects(safelyIn: 0) },
            ] as [() -> Void] {
                nonisolated(unsafe) let read = read
                let elsewhere = RecordingLogger.record("list of 'Robin'") {
                    let done = DispatchSemaphore(value: 0)
                    Thread.detachNewThread {
                        read()
                        done.signal()
                    }
                    done.wait()
                }
                #expect(elsewhere.entries.contains(.assertion(text)))
            }
        }
        aviary.queue.sync {}
        let afterwards = RecordingLogger.record("list of 'Robin'") { #expect(monitor.numberOfObjects() == 2) }
        #expect(afterwards.entries == [])
    }

    @Test(.pins("OBS-06"), arguments: TestBackend.allCases)
    func `every accessor of a list logs an assertion off the view queue during a refetch`(
        _ backend: TestBackend
    ) throws {
        let aviary = try Aviary(backend)
        nonisolated(unsafe) let monitor = aviary.monitor
        aviary.queue.sync {
            nonisolated(unsafe) let robin = monitor[0]
            monitor.refetch(OrderBy<Robin>(.descending(\.$name)))
            let text = "A list of 'Robin' was read outside the view queue while it was fetched again."
            let reads: [(name: String, read: () -> Void)] = [
                ("numberOfSections", { _ = monitor.numberOfSections() }),
                ("hasSections", { _ = monitor.hasSections() }), ("sections", { _ = monitor.sections() }),
                ("index(of:)", { _ = monitor.index(of: robin) }),
                ("indexPath(of:)", { _ = monitor.indexPath(of: robin) }),
                ("sectionIndexTitles", { _ = monitor.sectionIndexTitles() }),
                ("targetSection", { _ = monitor.targetSection(forSectionIndexTitle: "A", at: 0) }),
                ("safeIndex", { _ = monitor[safeIndex: 9] }),
            ]
            for (name, read) in reads {
                nonisolated(unsafe) let read = read
                let recording = RecordingLogger.record("list of 'Robin'") {
                    let done = DispatchSemaphore(value: 0)
                    Thread.detachNewThread {
                        read()
                        done.signal()
                    }
                    done.wait()
                }
                #expect(recording.entries.contains(.assertion(text)), "\(name)")
            }
        }
    }

    @Test(.pins("OBS-01", "OBS-42"), arguments: TestBackend.allCases)
    func `creating a stack's monitor off the view queue logs an assertion, a transaction's does not`(
        _ backend: TestBackend
    ) throws {
        let aviary = try Aviary(backend)
        let from = From<Robin>().orderBy(.ascending(\.$name))
        let (stack, draft) = (aviary.test.stack, aviary.test.stack.beginUnsafe())
        let pending = try #require(try draft.fetchOne(from))
        let ofTransaction = RecordingLogger.record("'Robin'") {
            let list = draft.monitorList(from)
            let sections = draft.monitorSectionedList(from.from, SectionBy<Robin>(\.$name), from.fetchClauses)
            let object = draft.monitorObject(pending)
            let counter = Counter()
            list.addObserver(counter)
            object.addObserver(counter)
            draft.flush { pending.name = "Abe" }
            #expect(list.map(\.name) == ["Abe", "Bob"] && sections.numberOfSections() == 2)
            #expect(object.object?.name == "Abe" && counter.count == 2)
        }
        #expect(ofTransaction.entries == [])
        var made: (ListMonitor<Robin>, ObjectMonitor<Robin>)?
        let ofStack = RecordingLogger.record("'Robin' was observed") {
            made = (
                stack.monitorSectionedList(from.from, SectionBy<Robin>(\.$name), from.fetchClauses),
                stack.monitorObject(pending)
            )
        }
        #expect(ofStack.entries == Array(repeating: .assertion(mistake), count: 2))
        let (sections, object) = try #require(made)
        aviary.queue.sync {
            #expect(sections.map(\.name) == ["Ann", "Bob"] && object.object?.name == "Ann")
        }
    }

    @Test(.pins("OBS-01"), arguments: TestBackend.allCases)
    func `a monitor created asynchronously is filled and passed on the view queue`(
        _ backend: TestBackend
    ) async throws {
        let aviary = try Aviary(backend)
        let key = DispatchSpecificKey<Bool>()
        aviary.queue.setSpecific(key: key, value: true)
        let from = From<Robin>().orderBy(.ascending(\.$name))
        let (isThere, names) = await withCheckedContinuation {
            (continuation: CheckedContinuation<(Bool, [String]), Never>) in
            aviary.test.stack.monitorList(
                createAsynchronously: { monitor in
                    continuation.resume(
                        returning: (DispatchQueue.getSpecific(key: key) == true, monitor.map(\.name)))
                }, from)
        }
        #expect(isThere && names == ["Ann", "Bob"])
    }

    @Test(.pins("OBS-26", "OBS-51", "OBS-73", "OBS-93"), arguments: TestBackend.allCases)
    func `observers are called on the view queue once per commit of another thread`(
        _ backend: TestBackend
    ) throws {
        let aviary = try Aviary(backend)
        let key = DispatchSpecificKey<Bool>()
        aviary.queue.setSpecific(key: key, value: true)
        let counter = Counter()
        var calls: [String] = []
        func note(_ name: String) {
            calls.append(DispatchQueue.getSpecific(key: key) == true ? name : "\(name) elsewhere")
        }
        let token: (any CoreStoreObjectKeyValueObservation)? = aviary.queue.sync {
            aviary.list.addObserver(counter) { _ in note("list") }
            aviary.publisher.addObserver(counter) { _ in note("object") }
            return aviary.object.object?.observe(\.$name) { _, _ in note("field") }
        }
        #expect(token != nil)
        // Both objects change in each of the commits.
        for _ in 0..<2 {
            try aviary.test.stack.perform(synchronous: { transaction in
                for robin in try transaction.fetchAll(From<Robin>()) { robin.name += "a" }
            })
            aviary.queue.sync {
                #expect(calls.sorted() == ["field", "list", "object"])
                calls = []
            }
        }
        token?.invalidate()
    }

    @Test(.pins("OBS-42"), arguments: TestBackend.allCases)
    func `an observer that another observer removes is not called in the same notification`(
        _ backend: TestBackend
    ) throws {
        let aviary = try Aviary(backend)
        let (first, second) = (Counter(), Counter())
        aviary.queue.sync {
            aviary.publisher.addObserver(first) { publisher in
                first.count += 1
                publisher.removeObserver(second)
            }
            aviary.publisher.addObserver(second) { _ in second.count += 1 }
        }
        try aviary.rename()
        aviary.queue.sync { #expect(first.count == 1 && second.count == 0) }
    }
}

extension ListMonitor where O: CoreStoreObject {
    fileprivate func map<T>(_ transform: (O) -> T) -> [T] { objectsInAllSections().map(transform) }
}
