import Coffer
import CofferStorage
import Dispatch
import Foundation
import TestSupport
import Testing

private final class Person: CoreStoreObject {
    @Field.Stored("name") var name: String = ""
    @Field.Stored("age") var age: Int = 0
}

private let schema = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Person>("Person")])
private let nested =
    "unsupported: 'perform(synchronous:)' was called inside a transaction of the same data stack, and "
    + "would wait for itself. Use the enclosing transaction, or 'perform(asynchronous:)'."

/// Transactions inside transactions, which must not block forever.
@MainActor
struct ReentrancyTests {
    @Test(.pins("TX-05"), arguments: TestBackend.allCases)
    func `A1 a synchronous transaction inside another is refused, and the outer one continues`(
        _ backend: TestBackend
    ) throws {
        let test = try TestStack(backend, schema)
        let stack = test.stack
        let recording = try RecordingLogger.record("would wait for itself") {
            try stack.perform(synchronous: { transaction in
                transaction.create(Into<Person>()).name = "outer"
                let error = #expect(throws: CoreStoreError.self) {
                    try stack.perform(synchronous: { $0.create(Into<Person>()).name = "inner" })
                }
                #expect(error?.description == nested)
            })
        }
        #expect(recording.errors == ["A transaction cannot be nested."])
        #expect(try stack.fetchAll(From<Person>()).map(\.name) == ["outer"])
    }

    @Test(.pins("TX-05"), arguments: TestBackend.allCases)
    func `A1 a synchronous transaction inside an asynchronous one is refused`(_ backend: TestBackend) async throws {
        let test = try TestStack(backend, schema)
        let stack = test.stack
        let result = await stack.outcome { transaction in
            transaction.create(Into<Person>()).name = "outer"
            try stack.perform(synchronous: { $0.create(Into<Person>()).name = "inner" })
        }
        let error = #expect(throws: CoreStoreError.self) { try result.get() }
        #expect(error?.description == nested)
        #expect(try stack.fetchCount(From<Person>()) == 0)
        try stack.perform(synchronous: { $0.create(Into<Person>()).name = "after" })
        #expect(try stack.fetchCount(From<Person>()) == 1)
    }

    @Test(.pins("TX-01"), arguments: TestBackend.allCases)
    func `A1 an asynchronous transaction inside a synchronous one runs after it`(
        _ backend: TestBackend
    ) async throws {
        let test = try TestStack(backend, schema)
        let stack = test.stack
        let names: [String] = await withCheckedContinuation { continuation in
            _ = try? stack.perform(synchronous: { transaction in
                stack.perform(
                    asynchronous: { inner in
                        let names = try inner.fetchAll(From<Person>()).map(\.name)
                        inner.create(Into<Person>()).name = "inner"
                        return names
                    },
                    completion: { continuation.resume(returning: (try? $0.get()) ?? []) }
                )
                transaction.create(Into<Person>()).name = "outer"
            })
        }
        #expect(names == ["outer"])
        #expect(try stack.fetchCount(From<Person>()) == 2)
    }

    @Test(.pins("TX-05"), arguments: TestBackend.allCases)
    func `A1 transactions of two stacks can be nested`(_ backend: TestBackend) throws {
        let (one, two) = (try TestStack(backend, schema), try TestStack(backend, schema))
        try one.stack.perform(synchronous: { outer in
            outer.create(Into<Person>()).name = "one"
            try two.stack.perform(synchronous: { $0.create(Into<Person>()).name = "two" })
        })
        #expect(try one.stack.fetchAll(From<Person>()).map(\.name) == ["one"])
        #expect(try two.stack.fetchAll(From<Person>()).map(\.name) == ["two"])
    }

    @Test(.pins("TX-05"), arguments: TestBackend.allCases)
    func `A1 synchronous transactions on many threads and the main queue save all their changes`(
        _ backend: TestBackend
    ) async throws {
        let test = try TestStack(backend, schema)
        let stack = test.stack
        let id = try stack.perform(synchronous: { $0.create(Into<Person>()).objectID() })
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<4 {
                group.addTask {
                    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                        Thread.detachNewThread {
                            for _ in 0..<25 {
                                _ = try? stack.perform(
                                    synchronous: { $0.edit(Into<Person>(), id)?.age += 1 },
                                    waitForAllObservers: thread % 2 == 0
                                )
                            }
                            continuation.resume()
                        }
                    }
                }
            }
            for _ in 0..<25 { _ = try? stack.perform(synchronous: { $0.edit(Into<Person>(), id)?.age += 1 }) }
            await group.waitForAll()
        }
        let person: Person = try #require(stack.fetchExisting(id))
        #expect(person.age == 125)
    }

    @Test(.pins("TX-41"), arguments: TestBackend.allCases)
    func `A1 an unsafe commit inside an asynchronous transaction does not wait for the main queue`(
        _ backend: TestBackend
    ) throws {
        let test = try TestStack(backend, schema)
        let stack = test.stack
        let unsafe = stack.beginUnsafe()
        unsafe.create(Into<Person>()).name = "unsafe"
        stack.perform(asynchronous: { _ in try unsafe.commitAndWait() }, completion: { _ in })
        // The main queue waits for the transaction here.
        let count = try stack.perform(synchronous: { try $0.fetchCount(From<Person>()) })
        #expect(count == 1)
        #expect(try stack.fetchCount(From<Person>()) == 1)
    }

    @Test(.pins("TX-02"), arguments: TestBackend.allCases)
    func `A1 A6 an observer can commit, and all observers are called for each commit in order`(
        _ backend: TestBackend
    ) throws {
        let test = try TestStack(backend, schema)
        let stack = test.stack
        let told = Locked<[String]>([])
        stack.onCommit { record in
            let source = record.sourceIdentifier.value as? String ?? ""
            told.withLock { $0.append("A \(source)") }
            guard source == "first" else { return }
            _ = try? stack.perform(synchronous: { $0.create(Into<Person>()).name = "b" }, sourceIdentifier: "second")
            let count = (try? stack.fetchCount(From<Person>())) ?? -1
            told.withLock { $0.append("A counts \(count)") }
        }
        stack.onCommit { record in
            told.withLock { $0.append("B \(record.sourceIdentifier.value as? String ?? "")") }
        }
        try stack.perform(synchronous: { $0.create(Into<Person>()).name = "a" }, sourceIdentifier: "first")
        #expect(told.withLock { $0 } == ["A first", "A counts 2", "B first", "A second", "B second"])
    }

    @Test(.pins("FQ-05"), arguments: TestBackend.allCases)
    func `A3 a fetch of the stack inside a transaction on the main queue returns saved objects`(
        _ backend: TestBackend
    ) throws {
        let test = try TestStack(backend, schema)
        let stack = test.stack
        let counts = try stack.perform(synchronous: { transaction in
            _ = transaction.create(Into<Person>())
            return [try stack.fetchCount(From<Person>()), try transaction.fetchCount(From<Person>())]
        })
        #expect(counts == [0, 1])
    }
}
