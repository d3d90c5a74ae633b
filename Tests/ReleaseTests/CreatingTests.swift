import Coffer
import CofferStorage
import Foundation
import TestSupport
import Testing

/// `create` always returns an object.
///
/// If no object can be saved, the transaction fails with an error, and the program continues.
@MainActor
struct CreatingTests {
    private final class Grebe: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
        @Field.Relationship("mate") var mate: Grebe?
        @Field.Relationship("mateOf", inverse: \.$mate) var mateOf: Grebe?
    }

    private let schema = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Grebe>("Grebe")])

    @Test(.pins("TX-21"), arguments: TestBackend.allCases)
    func `creating an object in an ended transaction saves nothing and logs an error`(
        _ backend: TestBackend
    ) throws {
        let test = try TestStack(backend, schema)
        var ended: SynchronousDataTransaction?
        try test.stack.perform(synchronous: { transaction in
            ended = transaction
            transaction.create(Into<Grebe>()).name = "Ann"
        })
        let text = "'create' was called on a finished transaction."
        let log = try RecordingLogger.record(text) {
            let late = try #require(ended).create(Into<Grebe>())
            #expect(late.objectID().entityName == "Grebe")
        }
        #expect(log.assertions == [text])
        #expect(log.errors == ["Nothing was changed."])
        // Inside another transaction, this call makes the other transaction fail.
        RecordingLogger.record(text) {
            let error = #expect(throws: CoreStoreError.self) {
                try test.stack.perform(synchronous: { transaction in
                    transaction.create(Into<Grebe>()).name = "Bob"
                    ended?.create(Into<Grebe>()).name = "Eve"
                })
            }
            #expect(error?.storageError?.message == text)
        }
        #expect(try test.stack.fetchAll(From<Grebe>()).map(\.name) == ["Ann"])
    }

    @Test(.pins("TX-20"), arguments: TestBackend.allCases)
    func `a transaction fails if its stores are removed while it runs`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        let stack = test.stack
        try stack.perform(synchronous: { $0.create(Into<Grebe>()).name = "Ann" })
        let ann = try #require(try stack.fetchOne(From<Grebe>()))
        for isRead in [false, true] {
            let recording = RecordingLogger.record("'Grebe' were removed") {
                let error = #expect(throws: CoreStoreError.self) {
                    try stack.perform(synchronous: { transaction in
                        if isRead { _ = try transaction.fetchCount(From<Grebe>()) }
                        stack.unsafeRemoveAllPersistentStoresAndWait()
                        let grebe = transaction.create(Into<Grebe>())
                        grebe.name = "Bob"
                        grebe.mate = transaction.create(Into<Grebe>())
                        grebe.mate?.name = "Eve"
                    })
                }
                #expect(error?.storageError?.code == .closed)
            }
            #expect(recording.assertions.isEmpty)
            // An edit without a store also fails, instead of leaving the object unchanged without an error.
            let edit = #expect(throws: CoreStoreError.self) {
                try stack.perform(synchronous: { $0.edit(ann)?.name = "Zoe" })
            }
            #expect(edit?.storageError?.code == .closed)
            guard backend != .memory else { return }
            try test.addStore(configuration: nil)
            #expect(try stack.fetchAll(From<Grebe>()).map(\.name) == ["Ann"])
        }
    }

    @Test(.pins("TX-20"), arguments: TestBackend.allCases)
    func `an unsafe transaction whose stores were removed cannot be saved`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        let transaction = test.stack.beginUnsafe()
        test.stack.unsafeRemoveAllPersistentStoresAndWait()
        RecordingLogger.record("'Grebe' were removed") { transaction.create(Into<Grebe>()).name = "Bob" }
        let error = #expect(throws: CoreStoreError.self) { try transaction.commitAndWait() }
        #expect(error?.description == "closed: The storages of 'Grebe' were removed from the data stack.")
    }
}
