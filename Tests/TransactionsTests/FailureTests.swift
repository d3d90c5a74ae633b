import Coffer
import Foundation
import TestSupport
import Testing

private final class Person: CoreStoreObject {
    @Field.Stored("name") var name: String = ""
    @Field.Stored("score") var score: Double = 0
    @Field.Relationship("boss") var boss: Person?
    @Field.Relationship("team", inverse: \.$boss) var team: Set<Person>
}

private let schema = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Person>("FailingPerson")])
private let fire = "failed: The disk is on fire (save, ProbedStore)."

/// Failures of a store, which leave objects, stack and store unchanged.
@MainActor
struct FailureTests {
    private func make(_ backend: TestBackend) throws -> (probed: ProbedStack, ann: Person) {
        let probed = try ProbedStack(backend, schema)
        try probed.stack.perform(synchronous: { $0.create(Into<Person>()).name = "Ann" })
        return (probed, try #require(try probed.stack.fetchOne(From<Person>())))
    }

    @Test(.pins("TX-04"), arguments: TestBackend.allCases)
    func `a failed commit changes nothing, and the next transaction works`(_ backend: TestBackend) throws {
        let (probed, ann) = try make(backend)
        probed.store.fail(.commit)
        let recording = RecordingLogger.record("FailingPerson") {}
        let error = #expect(throws: CoreStoreError.self) {
            try probed.stack.perform(synchronous: { transaction in
                transaction.edit(ann)?.name = "Eve"
                transaction.create(Into<Person>()).boss = transaction.edit(ann)
            })
        }
        #expect(recording.entries.isEmpty)
        #expect(error?.description == fire)
        #expect(error?.storageError?.code == .failed)
        #expect(ann.name == "Ann")
        #expect(ann.team.isEmpty)
        #expect(try probed.stack.fetchAll(From<Person>()) == [ann])
        try probed.stack.perform(synchronous: { $0.edit(ann)?.name = "Eve" })
        #expect(ann.name == "Eve")
    }

    @Test(.pins("TX-04"), arguments: TestBackend.allCases)
    func `a failed asynchronous commit calls failure`(_ backend: TestBackend) async throws {
        let (probed, ann) = try make(backend)
        probed.store.fail(.commit)
        let id = ann.objectID()
        let result = await probed.stack.outcome { $0.edit(Into<Person>(), id)?.name = "Eve" }
        let error = #expect(throws: CoreStoreError.self) { try result.get() }
        #expect(error?.description == fire)
        #expect(ann.name == "Ann")
    }

    @Test(.pins("TX-41"), arguments: TestBackend.allCases)
    func `a failed commit of an unsafe transaction can be repeated`(_ backend: TestBackend) async throws {
        let (probed, ann) = try make(backend)
        let transaction = probed.stack.beginUnsafe()
        let own = try #require(transaction.edit(ann))
        own.name = "Eve"
        let bob = transaction.create(Into<Person>())
        bob.boss = own
        probed.store.fail(.commit)
        let error = #expect(throws: CoreStoreError.self) { try transaction.commitAndWait() }
        #expect(error?.description == fire)
        probed.store.fail(.commit)
        let again: String = await withCheckedContinuation { continuation in
            transaction.commit { continuation.resume(returning: $0?.description ?? "nil") }
        }
        #expect(again == fire)
        #expect(transaction.hasChanges)
        #expect(transaction.insertedObjects(Person.self) == [bob])
        #expect(ann.name == "Ann")
        own.score = 2
        try transaction.commitAndWait()
        #expect(!transaction.hasChanges)
        #expect([ann.name, "\(ann.score)"] == ["Eve", "2.0"])
        #expect(ann.team.count == 1)
    }

    @Test(.pins("TX-42"), arguments: TestBackend.allCases)
    func `after a failed commit, undo and rollback still work`(_ backend: TestBackend) throws {
        let (probed, ann) = try make(backend)
        let transaction = probed.stack.beginUnsafe(supportsUndo: true)
        let own = try #require(transaction.edit(ann))
        transaction.flush { own.name = "Eve" }
        transaction.flush { own.name = "Zoe" }
        probed.store.fail(.commit)
        #expect(throws: CoreStoreError.self) { try transaction.commitAndWait() }
        transaction.undo()
        #expect(own.name == "Eve")
        transaction.rollback()
        #expect(own.name == "Ann")
        own.name = "Amy"
        try transaction.commitAndWait()
        #expect(ann.name == "Amy")
    }

    @Test(.pins("TX-20"), arguments: TestBackend.allCases)
    func `a transaction fails if the store cannot reserve keys for new objects`(_ backend: TestBackend) throws {
        let (probed, _) = try make(backend)
        probed.store.fail(.reserve)
        // The store reserves keys in blocks; the first block had 16 keys.
        let failing = {
            try probed.stack.perform(synchronous: { transaction in
                for _ in 0..<20 { transaction.create(Into<Person>()).name = "New" }
            })
        }
        let error = #expect(throws: CoreStoreError.self) { try failing() }
        #expect(error?.description == "failed: The disk is on fire (reserve keys, ProbedStore).")
        #expect(try probed.stack.fetchCount(From<Person>()) == 1)
        try failing()
        #expect(try probed.stack.fetchCount(From<Person>()) == 21)
    }

    @Test(.pins("TX-20"), arguments: TestBackend.allCases)
    func `an invalid value is refused before the store receives a commit`(_ backend: TestBackend) throws {
        let (probed, ann) = try make(backend)
        _ = probed.store.takeRequests()
        let error = #expect(throws: CoreStoreError.self) {
            try probed.stack.perform(synchronous: { $0.edit(ann)?.score = .nan })
        }
        #expect(
            error?.description == "invalidValue: 'FailingPerson.score' is not a number (NaN) and cannot be saved. "
                + "Use an optional field.")
        #expect(probed.store.takeRequests() == ["row FailingPerson"])
        #expect(ann.score == 0)
    }

    @Test(.pins("FQ-11", "LOG-07"), arguments: TestBackend.allCases)
    func `a failed fetch, count or query throws and logs one error`(_ backend: TestBackend) throws {
        let (probed, ann) = try make(backend)
        // No other test uses this message, so it can be counted.
        let words = "The disk of the library is on fire"
        for (operation, body) in [
            ("fetch", { _ = try probed.stack.fetchAll(From<Person>()) }),
            ("fetch", { _ = try probed.stack.fetchOne(From<Person>()) }),
            ("fetch", { _ = try probed.stack.fetchObjectIDs(From<Person>()) }),
            ("count", { _ = try probed.stack.fetchCount(From<Person>()) }),
            ("query", { _ = try probed.stack.queryValue(From<Person>().select(Int.self, .count(\.$name))) }),
        ] as [(String, () throws -> Void)] {
            probed.store.fail(.read, with: .init(.failed, "\(words)."))
            let recording = RecordingLogger.record(words) {
                let error = #expect(throws: CoreStoreError.self) { try body() }
                #expect(error?.description == "failed: \(words) (\(operation), ProbedStore).")
            }
            #expect(recording.entries == [.error(.internalError, "The \(operation) failed.")])
        }
        #expect(try probed.stack.fetchAll(From<Person>()) == [ann])
    }

    @Test(.pins("LOG-07"), arguments: TestBackend.allCases)
    func `each failed call on a stack, transaction or read logs exactly one error`(
        _ backend: TestBackend
    ) throws {
        typealias Source = any FetchableSource & QueryableSource
        let (probed, ann) = try make(backend)
        let stack = probed.stack
        // No other test uses this message, so it can be counted.
        let words = "The disk of the cellar is on fire"
        func check(_ operation: String, _ body: () throws -> Void) {
            probed.store.fail(.read, with: .init(.failed, "\(words)."))
            let recording = RecordingLogger.record(words) {
                let error = #expect(throws: CoreStoreError.self) { try body() }
                #expect(error?.storageError?.message == "\(words).")
            }
            #expect(recording.entries == [.error(.internalError, "The \(operation) failed.")])
        }
        let calls: [(String, (Source) throws -> Void)] = [
            ("fetch", { _ = try $0.fetchAll(From<Person>()) }),
            ("fetch", { _ = try $0.fetchOne(From<Person>().where(\.$name == "Ann")) }),
            ("fetch", { _ = try $0.fetchObjectID(From<Person>()) }),
            ("fetch", { _ = try $0.fetchObjectIDs(From<Person>()) }),
            ("count", { _ = try $0.fetchCount(From<Person>()) }),
            ("query", { _ = try $0.queryValue(From<Person>().select(Int.self, .count(\.$name))) }),
            ("query", { _ = try $0.queryAttributes(From<Person>().select(NSDictionary.self, .attribute(\.$name))) }),
        ]
        for (operation, call) in calls {
            check(operation) { try call(stack) }
            check(operation) { try stack.perform(synchronous: { try call($0) }) }
            check(operation) { try stack.read({ try call($0) }) }
            let unsafe = stack.beginUnsafe()
            check(operation) { try call(unsafe) }
        }
        check("delete") { try stack.perform(synchronous: { _ = try $0.deleteAll(From<Person>()) }) }
        #expect(try stack.fetchAll(From<Person>()) == [ann])
    }

    @Test(.pins("LOG-07"), arguments: TestBackend.allCases)
    func `a relationship that cannot be read is empty, and one error is logged`(_ backend: TestBackend) throws {
        let (probed, ann) = try make(backend)
        probed.store.fail(.read)
        let recording = RecordingLogger.record("FailingPerson#\(ann.objectID().key)") { #expect(ann.team.isEmpty) }
        #expect(
            recording.errors == [
                "'team' of FailingPerson#\(ann.objectID().key) could not be read. It appears empty."
            ])
        try probed.stack.perform(synchronous: { $0.create(Into<Person>()).boss = $0.edit(ann) })
        #expect(ann.team.count == 1)
    }
}
