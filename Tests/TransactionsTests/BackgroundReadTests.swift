import Coffer
import CofferStorage
import Foundation
import TestSupport
import Testing

private final class Person: CoreStoreObject {
    @Field.Stored("name") var name: String = ""
    @Field.Relationship("boss") var boss: Person?
    @Field.Relationship("team", inverse: \.$boss) var team: Set<Person>
}

private let schema = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Person>("Person")])

/// Reads that run beside the main queue and beside writing transactions.
@MainActor
struct BackgroundReadTests {
    private func make(_ backend: TestBackend) throws -> TestStack {
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { transaction in
            let ann = transaction.create(Into<Person>())
            ann.name = "Ann"
            let bob = transaction.create(Into<Person>())
            bob.name = "Bob"
            bob.boss = ann
        })
        return test
    }

    @Test(.pins("TX-12"), arguments: TestBackend.allCases)
    func `A2 a read runs during a transaction and uses one snapshot`(
        _ backend: TestBackend
    ) async throws {
        let test = try make(backend)
        let stack = test.stack
        let (begun, read) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        stack.perform(
            asynchronous: { transaction in
                transaction.create(Into<Person>()).name = "Eve"
                begun.signal()
                // No other transaction can write before the reads have ended. On a busy machine the reads may begin
                // late.
                #expect(read.wait(timeout: .now() + 600) == .success)
            },
            completion: { _ in }
        )
        let counts = try await stack.async.read { reading in
            begun.wait()
            let count = try reading.fetchCount(From<Person>())
            let names = try reading.fetchAll(From<Person>().where(\.$boss != nil)).map {
                "\($0.name) of \($0.boss?.name ?? "")"
            }
            read.signal()
            try stack.perform(synchronous: { _ in }, waitForAllObservers: false)
            return ["\(count)", "\(try reading.fetchCount(From<Person>()))"] + names
        }
        #expect(counts == ["2", "2", "Bob of Ann"])
        #expect(try stack.read({ try $0.fetchCount(From<Person>()) }) == 3)
    }

    @Test(.pins("TX-12"), arguments: TestBackend.allCases)
    func `A2 fifty concurrent reads load all objects and their relationships`(_ backend: TestBackend) async throws {
        let test = try make(backend)
        let stack = test.stack
        let total = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    try await stack.async.read { try $0.fetchAll(From<Person>()).reduce(0) { $0 + $1.team.count } }
                }
            }
            var total = 0
            for try await count in group { total += count }
            return total
        }
        #expect(total == 50)
    }

    @Test(.pins("TX-04"), arguments: TestBackend.allCases)
    func `a read throws the error of its closure as a CoreStoreError`(_ backend: TestBackend) async throws {
        let test = try make(backend)
        let error = #expect(throws: CoreStoreError.self) {
            try test.stack.read({ (_: ReadTransaction) throws -> Int in throw Refusal() })
        }
        #expect(error?.thrown as? Refusal == Refusal())
        await #expect(throws: CoreStoreError.userCancelled) {
            try await test.stack.async.read { (_: ReadTransaction) throws -> Int in throw CoreStoreError.userCancelled }
        }
    }

    @Test(.pins("TX-12")) func `A2 waiting reads do not block the threads of Swift tasks`() async {
        // A separate process, because other tests use the threads of tasks too.
        await #expect(processExitsWith: .success) {
            let test = try await BackgroundReadTests().make(.memory)
            let (stack, gate, wasGivenUp) = (test.stack, DispatchSemaphore(value: 0), Locked(false))
            // More reads than there are threads for tasks, and more than run at the same time.
            let count = 200
            let ended = DispatchSemaphore(value: 0)
            for _ in 0..<count {
                stack.read({ _ in gate.wait() }, completion: { _ in ended.signal() })
            }
            let opened = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                // On a busy machine the reads may begin late.
                if opened.wait(timeout: .now() + 600) == .timedOut { wasGivenUp.withLock { $0 = true } }
                for _ in 0..<count { gate.signal() }
            }
            let sum = await withTaskGroup(of: Int.self) { group in
                for number in 0..<1_000 { group.addTask { number } }
                var sum = 0
                for await number in group { sum += number }
                return sum
            }
            opened.signal()
            #expect(sum == 499_500)
            #expect(wasGivenUp.withLock { $0 } == false)
            // All reads run, also those that had to wait.
            await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    for _ in 0..<count { ended.wait() }
                    continuation.resume()
                }
            }
        }
    }

    @Test(.pins("TX-02"), arguments: TestBackend.allCases)
    func `A2 a read calls its completion on the view queue`(_ backend: TestBackend) async throws {
        let test = try make(backend)
        let stack = test.stack
        let counts: [Int] = await withCheckedContinuation { continuation in
            stack.read(
                { try $0.fetchCount(From<Person>()) },
                completion: { result in
                    let here = try? stack.fetchCount(From<Person>())
                    continuation.resume(returning: [(try? result.get()) ?? -1, here ?? -1])
                }
            )
        }
        #expect(counts == [2, 2])
    }

    @Test(.pins("TX-21"), arguments: TestBackend.allCases)
    func `A3 objects of a read cannot be changed and keep their values after the read`(_ backend: TestBackend) throws {
        let test = try make(backend)
        var kept: Person?
        let recording = RecordingLogger.record("'Person' cannot be changed outside a transaction.") {
            #expect(throws: CoreStoreError.self) {
                try test.stack.read({ reading in
                    kept = try reading.fetchOne(From<Person>().where(\.$name == "Ann"))
                    kept?.name = "Eve"
                })
            }
        }
        #expect(
            recording.assertions == [
                "'Person' cannot be changed outside a transaction. Get it by 'transaction.edit(_:)'."
            ])
        #expect(kept?.name == "Ann")
        #expect(kept?.team.isEmpty == true)
    }

    @Test(.pins("TX-21"), arguments: TestBackend.allCases)
    func `A3 the end of a read releases its snapshot`(_ backend: TestBackend) throws {
        let probed = try ProbedStack(backend, schema)
        try probed.stack.perform(synchronous: { _ = $0.create(Into<Person>()) })
        var ended: ReadTransaction?
        var person: Person?
        try probed.stack.read({ reading in
            ended = reading
            person = try reading.fetchOne(From<Person>())
            #expect(probed.store.readerCount == 1)
        })
        #expect(probed.store.readerCount == 0)
        #expect(person?.team.isEmpty == true)
        try probed.stack.perform(synchronous: { _ = $0.create(Into<Person>()) })
        #expect(try ended?.fetchCount(From<Person>()) == 2)
        #expect(probed.store.readerCount == 0)
    }

    @Test(.pins("TX-30"), arguments: TestBackend.allCases)
    func `a read inside a transaction sees only saved objects`(_ backend: TestBackend) throws {
        let test = try make(backend)
        let count = try test.stack.perform(synchronous: { transaction in
            _ = transaction.create(Into<Person>())
            return try test.stack.read({ try $0.fetchCount(From<Person>()) })
        })
        #expect(count == 2)
    }

    @Test(.pins("TX-30"), arguments: TestBackend.allCases)
    func `a transaction reads one snapshot while an unsafe transaction commits`(_ backend: TestBackend) throws {
        let test = try make(backend)
        let counts = try test.stack.perform(synchronous: { transaction in
            let before = try transaction.fetchCount(From<Person>())
            let unsafe = test.stack.beginUnsafe()
            unsafe.create(Into<Person>()).name = "Eve"
            try unsafe.commitAndWait()
            return [before, try transaction.fetchCount(From<Person>()), try unsafe.fetchCount(From<Person>())]
        })
        #expect(counts == [2, 2, 3])
        #expect(try test.stack.fetchCount(From<Person>()) == 3)
    }
}
