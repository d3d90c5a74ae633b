import Coffer
import CofferStorage
import Foundation
import TestSupport
import Testing

private final class Counter: CoreStoreObject {
    @Field.Stored("name") var name: String = ""
    @Field.Stored("value") var value: Int = 0
    @Field.Stored("note") var note: String?
    @Field.Relationship("marks", inverse: \.$counter) var marks: Set<Mark>
}

private final class Mark: CoreStoreObject {
    @Field.Stored("text") var text: String = ""
    @Field.Relationship("counter") var counter: Counter?
}

private let schema = CoreStoreSchema(
    modelVersion: "V1", entities: [Entity<Counter>("Counter"), Entity<Mark>("Mark")])

/// Transactions with options for the changes of others.
///
/// The others are unsafe transactions, which commit while the tested transaction runs.
@MainActor
struct TransactionOptionsTests {
    private func make(_ backend: TestBackend) throws -> (test: TestStack, ann: Counter, bob: Counter) {
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { transaction in
            for name in ["Ann", "Bob"] { transaction.create(Into<Counter>()).name = name }
        })
        let counters = try test.stack.fetchAll(From<Counter>().orderBy(.ascending(\.$name)))
        return (test, counters[0], counters[1])
    }

    private let serializable = TransactionOptions(isolation: .serializable)
    private let throwing = TransactionOptions(conflictPolicy: .throwOnConflict)

    /// Changes an object in another transaction.
    private nonisolated func disturb(_ stack: DataStack, _ id: ObjectID, _ change: (Counter) -> Void) throws {
        let other = stack.beginUnsafe()
        change(try #require(other.edit(Into<Counter>(), id)))
        try other.commitAndWait()
    }

    @Test(.pins("TX-11"), arguments: TestBackend.allCases)
    func `throwOnConflict reports both versions in the error and saves nothing`(
        _ backend: TestBackend
    ) throws {
        let (test, ann, bob) = try make(backend)
        let id = ann.objectID()
        let error = #expect(throws: CoreStoreError.self) {
            try test.stack.perform(
                synchronous: { transaction in
                    transaction.edit(ann)?.value = 7
                    transaction.edit(bob)?.value = 7
                    try disturb(test.stack, id) { ($0.value, $0.note) = (5, "s3cret") }
                }, options: throwing)
        }
        let conflict = try #require(error?.storageError?.conflicts.first)
        // A repeated closure would fetch the objects again.
        #expect(error?.storageError?.code == .conflict && error?.storageError?.isRetryable == true)
        #expect(error?.storageError?.conflicts.count == 1)
        #expect(conflict.id == id)
        #expect(conflict.base["value"] == .integer(0))
        #expect(conflict.stored?["value"] == .integer(5))
        #expect(conflict.wanted?["value"] == .integer(7))
        #expect(conflict.changedElsewhere == ["note", "value"])
        #expect(
            error?.description
                == "conflict: 'note', 'value' of 'Counter' \(id.key) was changed by another transaction. "
                + "Fetch again and repeat the transaction (save, \(test.storeDescription)).")
        var shown = ""
        dump(error?.storageError, to: &shown)
        #expect(!shown.contains("s3cret"))
        #expect([ann.value, bob.value] as [Int] == [5, 0])
    }

    @Test(.pins("TX-11"), arguments: TestBackend.allCases)
    func `throwOnConflict refuses to delete a changed object, but not an already deleted object`(
        _ backend: TestBackend
    ) throws {
        let (test, ann, bob) = try make(backend)
        let (annID, bobID) = (ann.objectID(), bob.objectID())
        let error = #expect(throws: CoreStoreError.self) {
            try test.stack.perform(
                synchronous: { transaction in
                    transaction.delete(ann)
                    try disturb(test.stack, annID) { $0.value = 1 }
                }, options: throwing)
        }
        #expect(error?.storageError?.conflicts.first?.wanted?.count == nil)
        try test.stack.perform(
            synchronous: { transaction in
                transaction.delete(bob)
                let other = test.stack.beginUnsafe()
                other.delete(objectIDs: [bobID])
                try other.commitAndWait()
            }, options: throwing)
        #expect(try test.stack.fetchAll(From<Counter>()) == [ann])
    }

    @Test(.pins("TX-11"), arguments: TestBackend.allCases)
    func `an unsafe transaction with a conflict can be saved after a refresh`(
        _ backend: TestBackend
    ) throws {
        let (test, ann, _) = try make(backend)
        let unsafe = test.stack.beginUnsafe(conflictPolicy: .throwOnConflict)
        let own = try #require(unsafe.edit(ann))
        own.note = "mine"
        try disturb(test.stack, ann.objectID()) { $0.value = 3 }
        let error = #expect(throws: CoreStoreError.self) { try unsafe.commitAndWait() }?.storageError
        // A repeated commit of the same changes has the same conflict.
        #expect(error?.code == .conflict && error?.isRetryable == false)
        #expect(#expect(throws: CoreStoreError.self) { try unsafe.commitAndWait() }?.storageError?.code == .conflict)
        #expect(unsafe.hasChanges)
        unsafe.refreshAndMergeAllObjects()
        #expect([own.note, "\(own.value)"] == ["mine", "3"])
        try unsafe.commitAndWait()
        #expect([ann.note, "\(ann.value)"] == ["mine", "3"])
    }

    @Test(.pins("TX-11"), arguments: TestBackend.allCases)
    func `a serializable transaction is refused if data that it fetched have changed`(_ backend: TestBackend) throws {
        let reads: [@Sendable (SynchronousDataTransaction) throws -> Void] = [
            { _ = try $0.fetchAll(From<Counter>()) },
            { _ = try $0.fetchOne(From<Counter>().where(\.$name == "Bob")) },
            { _ = try $0.fetchCount(From<Counter>().where(\.$value == 0)) },
            { _ = try $0.fetchObjectIDs(From<Counter>().where(\.$value == 0)) },
            { _ = try $0.queryValue(From<Counter>().select(Int.self, .sum(\.$value))) },
        ]
        for read in reads {
            let (test, _, bob) = try make(backend)
            let id = bob.objectID()
            let error = #expect(throws: CoreStoreError.self) {
                try test.stack.perform(
                    synchronous: { transaction in
                        try read(transaction)
                        transaction.create(Into<Mark>()).text = "new"
                        try disturb(test.stack, id) { $0.value = 5 }
                    }, options: serializable)
            }
            #expect(error?.storageError?.code == .conflict)
            #expect(try test.stack.fetchCount(From<Mark>()) == 0)
        }
    }

    @Test(.pins("TX-11"), arguments: TestBackend.allCases)
    func `a serializable transaction is refused if a relationship that it read has changed`(
        _ backend: TestBackend
    ) throws {
        let (test, ann, _) = try make(backend)
        let id = ann.objectID()
        let error = #expect(throws: CoreStoreError.self) {
            try test.stack.perform(
                synchronous: { transaction in
                    let own = try #require(transaction.edit(ann))
                    own.value = own.marks.count + 1
                    let other = test.stack.beginUnsafe()
                    other.create(Into<Mark>()).counter = other.edit(Into<Counter>(), id)
                    try other.commitAndWait()
                }, options: serializable)
        }
        #expect(error?.storageError?.code == .conflict)
        #expect(ann.value == 0)
    }

    @Test(.pins("TX-11"), arguments: TestBackend.allCases)
    func `two serializable transactions cannot each depend on a value that the other changes`(
        _ backend: TestBackend
    ) throws {
        let (test, ann, bob) = try make(backend)
        let (annID, bobID) = (ann.objectID(), bob.objectID())
        // At most one of the values may be 1. A store in memory belongs to a single stack.
        guard backend != .memory else { return }
        let other = DataStack(schema, viewQueue: DispatchQueue(label: "other"))
        try TestStack.addStore(backend, to: other, in: test.directory)
        func take(_ stack: DataStack, _ mine: ObjectID, unless theirs: ObjectID, _ meanwhile: () throws -> Void) throws
        {
            try stack.perform(
                synchronous: { transaction in
                    let taken = transaction.edit(Into<Counter>(), theirs)?.value
                    try meanwhile()
                    if taken == 0 { transaction.edit(Into<Counter>(), mine)?.value = 1 }
                }, options: TransactionOptions(isolation: .serializable, repeatable: .upTo(3)))
        }
        let isFirst = Locked(true)
        try take(test.stack, annID, unless: bobID) {
            guard
                isFirst.withLock({ first in
                    defer { first = false }
                    return first
                })
            else { return }
            try take(other, bobID, unless: annID) {}
        }
        test.stack.refreshAndMergeAllObjects()
        #expect([ann.value, bob.value] as [Int] == [0, 1])
        other.unsafeRemoveAllPersistentStoresAndWait()
    }

    @Test(.pins("TX-11"), arguments: TestBackend.allCases)
    func `changes of unread rows do not conflict with a serializable transaction`(_ backend: TestBackend) throws {
        let (test, ann, bob) = try make(backend)
        let (id, name) = (bob.objectID(), "Ann")
        try test.stack.perform(
            synchronous: { transaction in
                try transaction.fetchOne(From<Counter>().where(\.$name == name))?.value += 1
                try disturb(test.stack, id) { $0.value = 5 }
            }, options: serializable)
        #expect([ann.value, bob.value] as [Int] == [1, 5])
    }

    @Test(.pins("TX-11"), arguments: TestBackend.allCases)
    func `a repeatable transaction runs again on fresh objects until it has no conflict`(
        _ backend: TestBackend
    ) async throws {
        let (test, ann, _) = try make(backend)
        let (id, runs) = (ann.objectID(), Locked(0))
        let options = TransactionOptions(isolation: .serializable, repeatable: .upTo(5))
        @Sendable func increment(_ transaction: BaseDataTransaction, _ stack: DataStack) throws -> Int {
            let own = try #require(transaction.edit(Into<Counter>(), id))
            own.value += 1
            let run = runs.withLock { runs in
                runs += 1
                return runs
            }
            if run % 3 != 0 { try disturb(stack, id) { $0.value += 10 } }
            return own.value
        }
        let first = try test.stack.perform(synchronous: { try increment($0, test.stack) }, options: options)
        #expect([first, ann.value, runs.withLock { $0 }] as [Int] == [21, 21, 3])
        let stack = test.stack
        let second = try await stack.async.perform(options) { try increment($0, stack) }
        #expect([second, ann.value, runs.withLock { $0 }] as [Int] == [42, 42, 6])
    }

    @Test(.pins("TX-11"), arguments: TestBackend.allCases)
    func `a repeatable transaction fails after the allowed number of repetitions`(
        _ backend: TestBackend
    ) throws {
        let (test, ann, _) = try make(backend)
        let id = ann.objectID()
        var runs = 0
        let error = #expect(throws: CoreStoreError.self) {
            try test.stack.perform(
                synchronous: { transaction in
                    runs += 1
                    transaction.edit(ann)?.value += 1
                    try disturb(test.stack, id) { $0.value += 10 }
                }, options: TransactionOptions(conflictPolicy: .throwOnConflict, repeatable: .upTo(2)))
        }
        #expect(error?.storageError?.code == .conflict)
        #expect([runs, ann.value] as [Int] == [3, 30])
    }

    @Test(.pins("TX-11"), arguments: TestBackend.allCases)
    func `an error of the closure does not repeat the transaction`(_ backend: TestBackend) throws {
        let (test, ann, _) = try make(backend)
        var runs = 0
        let options = TransactionOptions(isolation: .serializable, repeatable: .upTo(5))
        #expect(throws: CoreStoreError.userCancelled) {
            try test.stack.perform(
                synchronous: { transaction in
                    runs += 1
                    transaction.edit(ann)?.value = 1
                    try transaction.cancel()
                }, options: options)
        }
        #expect([runs, ann.value] as [Int] == [1, 0])
    }

    @Test(.pins("TX-11")) func `a repeatable transaction is not repeated after an error that is not retryable`() throws
    {
        let probed = try ProbedStack(.memory, schema)
        var runs = 0
        let options = TransactionOptions(repeatable: .upTo(3))
        probed.store.fail(.commit)
        #expect(throws: CoreStoreError.self) {
            try probed.stack.perform(
                synchronous: { transaction in
                    runs += 1
                    transaction.create(Into<Mark>()).text = "once"
                }, options: options)
        }
        // The error 'The disk is on fire' is not caused by other transactions.
        #expect(runs == 1)
    }
}
