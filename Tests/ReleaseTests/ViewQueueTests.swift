import Coffer
import Foundation
import TestSupport
import Testing

private final class Reminder: CoreStoreObject {
    @Field.Stored("text") var text: String = ""
}

private let schema = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Reminder>("Reminder")])

/// Uses of a data stack on the wrong queue, as in some programs at launch.
///
/// The cases run one after the other, because each case records the library's messages about the same class.
@Suite(.serialized)
struct ViewQueueTests {
    @Test(.pins("STO-30"), arguments: TestBackend.allCases)
    func `a fetch outside the view queue fails an assertion and returns the objects`(
        _ backend: TestBackend
    ) throws {
        let queue = DispatchQueue(label: "view")
        let test = try TestStack(backend, schema, viewQueue: queue)
        let stack = test.stack
        let id = try stack.perform(synchronous: { transaction in
            let reminder = transaction.create(Into<Reminder>())
            reminder.text = "milk"
            return reminder.objectID()
        })
        let recording = try RecordingLogger.record("'Reminder' was") {
            let found = try stack.fetchAll(From<Reminder>())
            let existing: Reminder? = stack.fetchExisting(id)
            queue.sync { #expect(found.map(\.text) == ["milk"] && existing === found[0]) }
            #expect(try stack.fetchCount(From<Reminder>()) == 1)
            #expect(try stack.fetchObjectID(From<Reminder>()) == id)
            let list = stack.publishList(From<Reminder>().orderBy(.ascending(\.$text)))
            queue.sync { #expect(list.snapshot.itemIDs == [id]) }
        }
        #expect(recording.assertions.count == 5 && recording.errors == [])
    }

    @Test(arguments: ["", "V\01"])
    func `a storage is refused if the version of the schema is not a valid name`(_ version: String) throws {
        let directory = try TestStack.makeDirectory()
        defer { TestStack.remove(directory) }
        let recording = try RecordingLogger.record("The version of a model") {
            let stack = DataStack(CoreStoreSchema(modelVersion: version, entities: [Entity<Reminder>("Reminder")]))
            let error = try #require(throws: CoreStoreError.self) {
                try TestStack.addStore(.memory, to: stack, in: directory)
            }
            #expect(error.storageError?.code == .invalidModel)
        }
        #expect(recording.assertions.count == 1)
    }

    @Test(.pins("STO-30"), arguments: TestBackend.allCases, [false, true])
    func `fetchExisting of the stack in a transaction on another queue fails the transaction`(
        _ backend: TestBackend, isForSeveral: Bool
    ) throws {
        let test = try TestStack(backend, schema, viewQueue: DispatchQueue(label: "view"))
        let stack = test.stack
        let id = try stack.perform(synchronous: { $0.create(Into<Reminder>()).objectID() })
        let recording = try RecordingLogger.record("'Reminder'") {
            let error = try #require(throws: CoreStoreError.self) {
                try stack.perform(synchronous: { transaction in
                    let known: [Reminder] =
                        isForSeveral ? stack.fetchExisting([id]) : [stack.fetchExisting(id)].compactMap { $0 }
                    if known.isEmpty { transaction.create(Into<Reminder>()).text = "again" }
                })
            }
            #expect(error.storageError?.code == .unsupported)
        }
        #expect(recording.assertions.count == 1)
        #expect(recording.errors.first == "'Reminder' could not be looked up.")
        #expect(try stack.read { try $0.fetchCount(From<Reminder>()) } == 1)
    }

    private static let publisherMistake =
        "The publisher of 'Reminder' was read outside the view queue. Read 'snapshot' and 'object' on that queue. In a "
        + "transaction, edit or fetch the object by the id of the publisher."

    @Test(.pins("OBS-70"), arguments: TestBackend.allCases)
    func `reading a publisher outside the view queue fails an assertion and returns its object`(
        _ backend: TestBackend
    ) throws {
        let queue = DispatchQueue(label: "view")
        let test = try TestStack(backend, schema, viewQueue: queue)
        let id = try test.stack.perform(synchronous: { transaction in
            let reminder = transaction.create(Into<Reminder>())
            reminder.text = "milk"
            return reminder.objectID()
        })
        let publisher: ObjectPublisher<Reminder> = test.stack.publishObject(id)
        let recording = RecordingLogger.record("'Reminder'") {
            #expect(publisher.snapshot?.$text == "milk")
            #expect(publisher.object?.objectID() == id)
            // The publisher knows the object now.
            #expect(publisher.object?.objectID() == id)
        }
        #expect(recording.entries == Array(repeating: .assertion(Self.publisherMistake), count: 2))
        // A transaction on another thread edits the known object, and deletes it.
        try test.stack.perform(synchronous: { transaction in transaction.edit(publisher.object)?.text = "bread" })
        try test.stack.perform(synchronous: { transaction in
            #expect(publisher.asEditable(in: transaction)?.text == "bread")
            transaction.delete(publisher.object)
        })
        queue.sync {}
        let afterwards = RecordingLogger.record("'Reminder'") {
            #expect(publisher.object == nil)
            #expect(publisher.snapshot == nil)
        }
        #expect(afterwards.entries == [.assertion(Self.publisherMistake)])
    }

    @Test(.pins("OBS-70"), arguments: TestBackend.allCases, [false, true])
    func `reading a publisher in a transaction on another queue fails the transaction`(
        _ backend: TestBackend, readsObject: Bool
    ) throws {
        let test = try TestStack(backend, schema, viewQueue: DispatchQueue(label: "view"))
        let stack = test.stack
        let id = try stack.perform(synchronous: { $0.create(Into<Reminder>()).objectID() })
        let publisher: ObjectPublisher<Reminder> = stack.publishObject(id)
        let recording = try RecordingLogger.record("'Reminder'") {
            let error = try #require(throws: CoreStoreError.self) {
                try stack.perform(synchronous: { transaction in
                    let isGone = readsObject ? publisher.object == nil : publisher.snapshot == nil
                    if isGone { transaction.create(Into<Reminder>()).text = "again" }
                })
            }
            #expect(error.storageError?.code == .unsupported)
            #expect(error.storageError?.message == Self.publisherMistake)
        }
        #expect(recording.assertions == [Self.publisherMistake])
        #expect(try stack.read { try $0.fetchCount(From<Reminder>()) } == 1)
    }
}
