import Coffer
import CofferStorage
import Foundation
import TestSupport
import Testing

private final class Note: CoreStoreObject {
    @Field.Stored("text") var text: String = ""
}

private final class Binder: CoreStoreObject {
    @Field.Relationship("sheets", inverse: \.$binder) var sheets: Set<Sheet>
}

private final class Sheet: CoreStoreObject {
    @Field.Relationship("binder") var binder: Binder?
}

private let schema = CoreStoreSchema(
    modelVersion: "V1", entities: [Entity<Note>("Note"), Entity<Binder>("Binder"), Entity<Sheet>("Sheet")])

/// Tasks that are cancelled while they wait for a transaction or a read.
@MainActor
struct CancellingTests {
    @Test(.pins("TX-11"), arguments: TestBackend.allCases)
    func `a transaction saves nothing if its task is cancelled before the commit`(
        _ backend: TestBackend
    ) async throws {
        let test = try TestStack(backend, schema)
        let (stack, began) = (test.stack, DispatchSemaphore(value: 0))
        let task = Task {
            try await stack.async.perform(TransactionOptions(repeatable: .upTo(1_000))) { transaction in
                transaction.create(Into<Note>()).text = "never"
                began.signal()
                // Each fetch succeeds until the task is cancelled.
                while true {
                    _ = try transaction.fetchCount(From<Note>())
                    Thread.sleep(forTimeInterval: 0.001)
                }
            }
        }
        cancel(task, after: began)
        await #expect(throws: CoreStoreError.userCancelled) { try await task.value }
        #expect(try stack.fetchCount(From<Note>()) == 0)
        try await stack.async.perform { $0.create(Into<Note>()).text = "again" }
        #expect(try stack.fetchCount(From<Note>()) == 1)
    }

    @Test(.pins("TX-11"), arguments: TestBackend.allCases)
    func `a read whose task is cancelled ends and logs no error`(_ backend: TestBackend) async throws {
        let test = try TestStack(backend, schema)
        let (stack, began) = (test.stack, DispatchSemaphore(value: 0))
        let task = Task {
            try await stack.async.read { reading -> Int in
                began.signal()
                while true {
                    _ = try reading.fetchCount(From<Note>())
                    Thread.sleep(forTimeInterval: 0.001)
                }
            }
        }
        let recording = await RecordingLogger.record("The read was cancelled") {
            cancel(task, after: began)
            await #expect(throws: CoreStoreError.userCancelled) { try await task.value }
        }
        #expect(recording.entries == [])
        #expect(try await stack.async.read { try $0.fetchCount(From<Note>()) } == 0)
    }

    @Test(.pins("TX-11"), arguments: TestBackend.allCases)
    func `a cancelled task that reads a relationship logs no error`(_ backend: TestBackend) async throws {
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { $0.create(Into<Sheet>()).binder = $0.create(Into<Binder>()) })
        let (stack, began, isCancelled) = (test.stack, DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let task = Task {
            try await stack.async.read { reading -> Int in
                let binder = try reading.fetchOne(From<Binder>())
                began.signal()
                isCancelled.wait()
                return binder?.sheets.count ?? -1
            }
        }
        let recording = await RecordingLogger.record("'sheets' of Binder") {
            Thread.detachNewThread {
                began.wait()
                task.cancel()
                isCancelled.signal()
            }
            await #expect(throws: CoreStoreError.userCancelled) { try await task.value }
        }
        #expect(recording.entries == [])
    }

    @Test(.pins("TX-11"), arguments: TestBackend.allCases)
    func `a cancelled read throws userCancelled although it ignores the errors of its fetches`(
        _ backend: TestBackend
    ) async throws {
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { $0.create(Into<Note>()).text = "one" })
        let (stack, began, isCancelled) = (test.stack, DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let task = Task {
            try await stack.async.read { reading -> Int in
                began.signal()
                isCancelled.wait()
                return (try? reading.fetchCount(From<Note>())) ?? 0
            }
        }
        Thread.detachNewThread {
            began.wait()
            task.cancel()
            isCancelled.signal()
        }
        await #expect(throws: CoreStoreError.userCancelled) { try await task.value }
    }

    @Test(.pins("TX-11")) func `cancelling a read does not wait for other reads`() async throws {
        let test = try TestStack(.memory, schema)
        let (stack, began, ended) = (test.stack, DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let task = Task {
            try await stack.async.read { reading -> Int in
                defer { ended.signal() }
                began.signal()
                while true {
                    _ = try reading.fetchCount(From<Note>())
                    Thread.sleep(forTimeInterval: 0.001)
                }
            }
        }
        // A separate thread, because no other work continues while all threads for reads are in use.
        let hasEnded = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                began.wait()
                // More reads than there are threads.
                let (count, gate) = (600, DispatchSemaphore(value: 0))
                for _ in 0..<count { stack.read({ _ in gate.wait() }, completion: { _ in }) }
                task.cancel()
                let outcome = ended.wait(timeout: .now() + 600)
                for _ in 0..<count { gate.signal() }
                continuation.resume(returning: outcome == .success)
            }
        }
        #expect(hasEnded)
        await #expect(throws: CoreStoreError.userCancelled) { try await task.value }
    }

    /// Cancels the task after the signal, on a separate thread.
    ///
    /// The main queue may be busy before this test continues.
    private nonisolated func cancel<Success>(_ task: Task<Success, any Error>, after began: DispatchSemaphore) {
        Thread.detachNewThread {
            began.wait()
            task.cancel()
        }
    }
}
