import Coffer
import Dispatch
import TestSupport
import Testing

private final class Ferry: CoreStoreObject {
    @Field.Stored("name") var name: String = ""
    @Field.Stored("berths") var berths: Int = 0
}

/// Calls of `perform { … }`, which run a writing transaction, as in CoreStore.
///
/// This also applies if the closure calls no method that only writing transactions have.
struct TrailingClosureTests {
    private let all = From<Ferry>()

    private func make(_ backend: TestBackend, viewQueue: DispatchQueue = .main) throws -> TestStack {
        let schema = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Ferry>("Ferry")])
        let test = try TestStack(backend, schema, viewQueue: viewQueue)
        try test.stack.perform(synchronous: { transaction in
            let ferry = transaction.create(Into<Ferry>())
            ferry.name = "Norröna"
            ferry.berths = 100
        })
        return test
    }

    /// Returns the stored objects, read in a separate read.
    private func stored(_ test: TestStack) throws -> [String] {
        try test.stack.read { try $0.fetchAll(all).map { "\($0.name) \($0.berths)" } }
    }

    @Test(.pins("TX-05"), arguments: TestBackend.allCases)
    func `perform saves the changes of a trailing closure with one expression`(_ backend: TestBackend) throws {
        let test = try make(backend)
        try test.stack.perform { t in try t.fetchOne(From<Ferry>())?.name = "5" }
        #expect(try stored(test) == ["5 100"])
        try test.stack.perform { try $0.fetchOne(From<Ferry>())?.berths += 1 }
        #expect(try stored(test) == ["5 101"])
    }

    @Test(.pins("TX-05"), arguments: TestBackend.allCases)
    func `perform saves the changes of a trailing closure with several statements`(_ backend: TestBackend) throws {
        let test = try make(backend)
        try test.stack.perform { transaction in
            let ferry = try transaction.fetchOne(all)
            ferry?.name = "Smyril"
            ferry?.berths = 7
        }
        #expect(try stored(test) == ["Smyril 7"])
        try test.stack.perform {
            guard let ferry = try $0.fetchAll(all).first else { return }
            for _ in 0..<3 { ferry.berths *= 2 }
        }
        #expect(try stored(test) == ["Smyril 56"])
    }

    @Test(.pins("TX-05"), arguments: TestBackend.allCases)
    func `perform saves the changes of a trailing closure that returns a value`(_ backend: TestBackend) throws {
        let test = try make(backend)
        let berths = try test.stack.perform { transaction -> Int in
            let ferry = try transaction.fetchOne(all)
            ferry?.berths = 12
            return ferry?.berths ?? 0
        }
        #expect(berths == 12)
        let name: String? = try test.stack.perform {
            let ferry = try $0.fetchOne(all)
            ferry?.name = "Tróndur"
            return ferry?.name
        }
        #expect(name == "Tróndur")
        let (isEmpty, count) = try test.stack.perform { try ($0.fetchAll(all).isEmpty, $0.fetchCount(all)) }
        #expect(!isEmpty && count == 1)
        #expect(try stored(test) == ["Tróndur 12"])
    }

    @Test(.pins("TX-05"), arguments: TestBackend.allCases)
    func `perform discards the changes of a trailing closure that throws`(_ backend: TestBackend) throws {
        let test = try make(backend)
        #expect(throws: CoreStoreError.userCancelled) {
            try test.stack.perform { transaction in
                try transaction.fetchOne(all)?.name = "x"
                throw CoreStoreError.userCancelled
            }
        }
        #expect(try stored(test) == ["Norröna 100"])
    }

    @Test(.pins("TX-05")) func `the argument labels alone determine the type of a transaction`() throws {
        let test = try make(.memory)
        func kind<T>(_ transaction: T) -> String { "\(T.self)" }
        let stack = test.stack
        #expect(try stack.perform { kind($0) } == "SynchronousDataTransaction")
        #expect(try stack.perform(synchronous: { kind($0) }) == "SynchronousDataTransaction")
        #expect(
            try stack.perform(synchronous: { kind($0) }, waitForAllObservers: false) == "SynchronousDataTransaction")
        #expect(try stack.perform(synchronous: { kind($0) }, sourceIdentifier: 1) == "SynchronousDataTransaction")
        #expect(try stack.read { kind($0) } == "ReadTransaction")
    }

    @Test(.pins("TX-06"), arguments: TestBackend.allCases)
    func `perform without waiting for observers saves its changes`(_ backend: TestBackend) throws {
        let test = try make(backend)
        try test.stack.perform(
            synchronous: { try $0.fetchOne(all)?.name = "Teistin" }, waitForAllObservers: false, sourceIdentifier: "a")
        #expect(try stored(test) == ["Teistin 100"])
        try test.stack.perform(
            synchronous: { transaction in
                for ferry in try transaction.fetchAll(all) { ferry.berths += 1 }
            },
            waitForAllObservers: false
        )
        #expect(try stored(test) == ["Teistin 101"])
    }

    @Test(.pins("TX-01"), arguments: TestBackend.allCases)
    func `perform with a trailing closure and a completion saves its changes`(_ backend: TestBackend) async throws {
        let test = try make(backend, viewQueue: DispatchQueue(label: "view"))
        let one: Result<Void, CoreStoreError> = await withCheckedContinuation { continuation in
            test.stack.perform {
                try $0.fetchOne(From<Ferry>())?.name = "Hósvík"
            } completion: {
                continuation.resume(returning: $0.map { _ in })
            }
        }
        #expect(throws: Never.self) { try one.get() }
        #expect(try stored(test) == ["Hósvík 100"])
        let several: Result<Int, CoreStoreError> = await withCheckedContinuation { continuation in
            test.stack.perform { transaction in
                let ferry = try transaction.fetchOne(From<Ferry>())
                ferry?.berths = 8
                return ferry?.berths ?? 0
            } completion: {
                continuation.resume(returning: $0)
            }
        }
        #expect(try several.get() == 8)
        #expect(try stored(test) == ["Hósvík 8"])
    }

    @Test(.pins("TX-01"), arguments: TestBackend.allCases)
    func `perform with the trailing closures success and failure saves its changes`(_ backend: TestBackend) async throws
    {
        let test = try make(backend, viewQueue: DispatchQueue(label: "view"))
        let succeeded = await withCheckedContinuation { continuation in
            test.stack.perform {
                try $0.fetchOne(From<Ferry>())?.name = "Ritan"
            } success: { _ in
                continuation.resume(returning: true)
            } failure: { _ in
                continuation.resume(returning: false)
            }
        }
        #expect(succeeded)
        let failed = await withCheckedContinuation { continuation in
            test.stack.perform { transaction in
                try transaction.fetchOne(From<Ferry>())?.name = "x"
                throw CoreStoreError.userCancelled
            } success: { (_: Void) in
                continuation.resume(returning: false)
            } failure: { _ in
                continuation.resume(returning: true)
            }
        }
        #expect(failed)
        #expect(try stored(test) == ["Ritan 100"])
    }

    @Test(.pins("TX-12"), arguments: TestBackend.allCases)
    func `an awaited perform saves its changes`(_ backend: TestBackend) async throws {
        let test = try make(backend)
        try await test.stack.async.perform { try $0.fetchOne(From<Ferry>())?.name = "Sam" }
        #expect(try stored(test) == ["Sam 100"])
        let berths = try await test.stack.async.perform { transaction in
            let ferry = try transaction.fetchOne(From<Ferry>())
            ferry?.berths = 3
            return ferry?.berths ?? 0
        }
        #expect(berths == 3)
        #expect(try stored(test) == ["Sam 3"])
    }
}
