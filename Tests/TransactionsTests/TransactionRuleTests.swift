import Coffer
import Dispatch
import Foundation
import TestSupport
import Testing

/// Rules of the checklist whose other tests assert less than the whole text.
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

    @Test(arguments: TestBackend.allCases)
    func `TX-26 an insert, an update and a delete are changes, each by itself`(_ backend: TestBackend) throws {
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

    @Test(arguments: TestBackend.allCases)
    func `TX-26 a virtual field is no persistent change`(_ backend: TestBackend) throws {
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

    @Test(arguments: TestBackend.allCases)
    func `TX-12 awaited transactions run in order off the caller, and throw CoreStoreError`(
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

    @Test(arguments: TestBackend.allCases)
    func `TX-12 a cancelled task still saves its transaction`(_ backend: TestBackend) async throws {
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

    @Test(arguments: TestBackend.allCases)
    func `TX-21 an unsafe transaction may be used after a commit and on any queue`(_ backend: TestBackend) throws {
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
}
