import Coffer
import CofferStorage
import Dispatch
import Foundation
import TestSupport
import Testing

/// Rules of the checklist that other tests check only in part.
@MainActor
struct TransactionRuleTests {
    private final class Finch: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
        @Field.Stored("age") var age: Int = 0
        @Field.Virtual("mood", customGetter: { _, field in field.primitiveValue ?? "calm" }) var mood: String
    }

    private let schema = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Finch>("Finch")])

    private func filled(_ backend: TestBackend) throws -> (TestStack, Finch) {
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { $0.create(Into<Finch>()).name = "Fin" })
        return (test, try #require(try test.stack.fetchOne(From<Finch>())))
    }

    @Test(.pins("TX-26"), arguments: TestBackend.allCases)
    func `an insert, an update or a delete alone makes hasChanges true`(_ backend: TestBackend) throws {
        let (test, fin) = try filled(backend)
        try test.stack.perform(synchronous: { transaction in
            #expect(!transaction.hasChanges)
            _ = transaction.create(Into<Finch>())
            #expect(transaction.hasChanges)
        })
        try test.stack.perform(synchronous: { transaction in
            transaction.edit(fin)?.name = "Fin"
            #expect(transaction.hasChanges)
        })
        try test.stack.perform(synchronous: { transaction in
            transaction.delete(fin)
            #expect(transaction.hasChanges)
        })
        let draft = test.stack.beginUnsafe()
        #expect(!draft.hasChanges)
        _ = draft.create(Into<Finch>())
        #expect(draft.hasChanges)
        try draft.commitAndWait()
        #expect(!draft.hasChanges)
    }

    @Test(.pins("TX-26"), arguments: TestBackend.allCases)
    func `a change of a virtual field is no persistent change`(_ backend: TestBackend) throws {
        let (test, fin) = try filled(backend)
        try test.stack.perform(synchronous: { transaction in
            let own = try #require(transaction.edit(fin))
            own.mood = "angry"
            #expect(own.mood == "angry")
            #expect(!transaction.objectHasPersistentChangedValues(own))
            own.age = 1
            #expect(transaction.objectHasPersistentChangedValues(own))
        })
    }

    @Test(.pins("TX-01", "TX-30"), arguments: TestBackend.allCases)
    func `only one transaction runs at a time, in every form of perform`(_ backend: TestBackend) async throws {
        let (test, fin) = try filled(backend)
        let (stack, id) = (test.stack, fin.objectID())
        let running = Locked((now: 0, most: 0))
        @Sendable func increment(_ transaction: BaseDataTransaction) {
            running.withLock { running in
                running.now += 1
                running.most = max(running.most, running.now)
            }
            transaction.edit(Into<Finch>(), id)?.age += 1
            running.withLock { $0.now -= 1 }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<10 {
                group.addTask { try await stack.async.perform { increment($0) } }
                group.addTask {
                    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                        stack.perform(asynchronous: { increment($0) }, completion: { _ in continuation.resume() })
                    }
                }
                group.addTask {
                    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                        Thread.detachNewThread {
                            _ = try? stack.perform(synchronous: { increment($0) })
                            continuation.resume()
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(running.withLock { $0.most } == 1)
        #expect(try stack.read { try $0.fetchOne(From<Finch>())?.age } == 30)
    }

    @Test(.pins("TX-04", "TX-12"), arguments: TestBackend.allCases)
    func `asynchronous transactions throw a CoreStoreError of the closure unchanged`(
        _ backend: TestBackend
    ) async throws {
        let (test, _) = try filled(backend)
        let missing = CoreStoreError.persistentStoreNotFound(entity: Finch.self)
        let result = await test.stack.outcome { transaction in
            transaction.create(Into<Finch>()).name = "Bea"
            throw missing
        }
        #expect(throws: missing) { try result.get() }
        await #expect(throws: missing) {
            _ = try await test.stack.async.perform { transaction in
                transaction.create(Into<Finch>()).name = "Cy"
                throw missing
            }
        }
        #expect(try test.stack.fetchAll(From<Finch>()).map(\.name) == ["Fin"])
    }

    @Test(.pins("TX-12"), arguments: TestBackend.allCases)
    func `awaited transactions run off the main thread and throw CoreStoreError`(
        _ backend: TestBackend
    ) async throws {
        let (test, _) = try filled(backend)
        let stack = test.stack
        let isMain = try await stack.async.perform { transaction in
            transaction.create(Into<Finch>()).name = "Bea"
            return Thread.isMainThread
        }
        #expect(!isMain)
        #expect(try stack.fetchCount(From<Finch>()) == 2)
        struct Refusal: Error {}
        do {
            _ = try await stack.async.perform { transaction in
                transaction.create(Into<Finch>()).name = "Cy"
                throw Refusal()
            }
            Issue.record("The closure's error should be thrown.")
        } catch let error as CoreStoreError {
            guard case .userError(let cause) = error else { throw error }
            #expect(cause is Refusal)
        }
        #expect(try stack.fetchCount(From<Finch>()) == 2)
    }

    @Test(.pins("TX-12"), arguments: TestBackend.allCases)
    func `a cancelled task still saves its transaction`(_ backend: TestBackend) async throws {
        let (test, _) = try filled(backend)
        let stack = test.stack
        let (begun, signal) = AsyncStream<Void>.makeStream()
        let isCancelled = DispatchSemaphore(value: 0)
        let task = Task {
            try await stack.async.perform { transaction in
                signal.yield()
                isCancelled.wait()
                transaction.create(Into<Finch>()).name = "Late"
            }
        }
        for await _ in begun { break }
        task.cancel()
        isCancelled.signal()
        try await task.value
        #expect(try stack.fetchCount(From<Finch>().where { $0.$name == "Late" }) == 1)
    }

    @Test(.pins("TX-21"), arguments: TestBackend.allCases)
    func `an ended asynchronous transaction creates, edits and deletes nothing`(
        _ backend: TestBackend
    ) async throws {
        let (test, fin) = try filled(backend)
        nonisolated(unsafe) var ended: AsynchronousDataTransaction?
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            test.stack.perform(
                asynchronous: { $0 },
                success: { transaction in
                    ended = transaction
                    continuation.resume()
                },
                failure: { _ in continuation.resume() })
        }
        let over = try #require(ended)
        func expectRefusal(of name: String, _ call: () -> Void) {
            let text = "'\(name)' was called on a finished transaction."
            let recording = RecordingLogger.record(text) { call() }
            #expect(recording.assertions == [text])
        }
        expectRefusal(of: "create") { _ = over.create(Into<Finch>()) }
        expectRefusal(of: "edit") { #expect(over.edit(fin) == nil) }
        expectRefusal(of: "edit") { #expect(over.edit(Into<Finch>(), fin.objectID()) == nil) }
        expectRefusal(of: "delete") { over.delete(fin) }
        expectRefusal(of: "delete") { over.delete(fin, nil) }
        expectRefusal(of: "delete") { over.delete([fin]) }
        expectRefusal(of: "delete") { over.delete(objectIDs: [fin.objectID()]) }
        #expect(!fin.isDeleted)
        #expect(try test.stack.fetchCount(From<Finch>()) == 1)
    }

    @Test(.pins("TX-21"), arguments: TestBackend.allCases)
    func `an unsafe transaction may be used after a commit and on any queue`(_ backend: TestBackend) throws {
        let (test, _) = try filled(backend)
        let draft = test.stack.beginUnsafe()
        draft.create(Into<Finch>()).name = "One"
        try draft.commitAndWait()
        let log = RecordingLogger.record("Finch") {
            DispatchQueue(label: "elsewhere").sync { draft.create(Into<Finch>()).name = "Two" }
        }
        #expect(log.assertions == [])
        try draft.commitAndWait()
        #expect(try test.stack.fetchCount(From<Finch>()) == 3)
    }

    @Test(.pins("TX-41"), arguments: TestBackend.allCases)
    func `commit returns before it saves, and it saves after all earlier transactions`(
        _ backend: TestBackend
    ) async throws {
        let (test, _) = try filled(backend)
        let stack = test.stack
        let draft = stack.beginUnsafe()
        draft.create(Into<Finch>()).name = "Bea"
        let gate = DispatchSemaphore(value: 0)
        stack.perform(asynchronous: { _ in gate.wait() }, completion: { _ in })
        let isSaved: Bool = await withCheckedContinuation { continuation in
            draft.commit { error in continuation.resume(returning: error == nil) }
            let count = try? stack.read { try $0.fetchCount(From<Finch>()) }
            #expect(count == 1)
            gate.signal()
        }
        #expect(isSaved)
        #expect(try stack.fetchCount(From<Finch>()) == 2)
    }

    @Test(.pins("TX-41"), arguments: TestBackend.allCases)
    func `commitAndWait on another thread returns after the observers were called`(
        _ backend: TestBackend
    ) async throws {
        let (test, fin) = try filled(backend)
        let (stack, id) = (test.stack, fin.objectID())
        let lines = Locked<[String]>([])
        stack.onCommit { _ in lines.withLock { $0.append("told") } }
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            Thread.detachNewThread {
                let draft = stack.beginUnsafe()
                let own = draft.edit(Into<Finch>(), id)
                for _ in 0..<5 {
                    own?.age += 1
                    try? draft.commitAndWait()
                    lines.withLock { $0.append("returned") }
                }
                continuation.resume()
            }
        }
        #expect(lines.withLock { $0 } == (0..<5).flatMap { _ in ["told", "returned"] })
        #expect(fin.age == 5)
    }
}
