import Coffer
import TestSupport
import Testing

/// Observers of a new object whose row is merged into a stored one when it is saved.
@MainActor
struct UpsertedObserverTests {
    private final class Account: CoreStoreObject {
        @Field.Stored("email") var email: String?
        @Field.Stored("name") var name: String = ""
        @Field.Relationship("letters", inverse: \.$author) var letters: Set<Letter>
    }

    private final class Letter: CoreStoreObject {
        @Field.Relationship("author") var author: Account?
    }

    private final class Owner {}
    private let owner = Owner()

    private static let schema = schema(.merge)

    private static func schema(_ policy: UniqueConstraintPolicy) -> CoreStoreSchema {
        CoreStoreSchema(
            modelVersion: "V1",
            entities: [
                Entity<Account>("Account", uniqueConstraints: [[\Account.$email]: policy]),
                Entity<Letter>("Letter"),
            ])
    }

    /// A record of the callbacks of monitors of accounts.
    private final class Transcript: ObjectObserver {
        private var lines: [String] = []

        func take() -> [String] {
            defer { lines = [] }
            return lines
        }

        func objectMonitor(
            _ monitor: ObjectMonitor<Account>, didUpdateObject object: Account,
            changedPersistentKeys: Set<KeyPathString>
        ) {
            lines.append("\(object.name) \(changedPersistentKeys.sorted().joined(separator: " "))")
        }
        func objectMonitor(_ monitor: ObjectMonitor<Account>, didDeleteObject object: Account) {
            lines.append("deleted")
        }
    }

    private func account(_ name: String, in transaction: BaseDataTransaction) -> Account {
        let account = transaction.create(Into<Account>())
        (account.email, account.name) = ("a@x", name)
        return account
    }

    /// Returns a stack with Ann's account.
    private func make(_ backend: TestBackend) throws -> (test: TestStack, ann: Account) {
        let test = try TestStack(backend, Self.schema)
        try test.stack.perform(synchronous: { _ = account("Ann", in: $0) })
        return (test, try #require(try test.stack.fetchOne(From<Account>())))
    }

    @Test(.pins("SCH-24", "OBS-73"), arguments: TestBackend.allCases)
    func `a publisher of a merged object follows the stored object`(_ backend: TestBackend) throws {
        let (test, ann) = try make(backend)
        let transaction = test.stack.beginUnsafe()
        let new = account("Anna", in: transaction)
        let publisher = test.stack.publishObject(new)
        let id = publisher.objectID()
        var told: [String] = []
        publisher.addObserver(owner) { told.append($0.$name ?? "nil") }
        #expect(publisher.snapshot == nil)
        #expect(publisher.object == nil)
        try transaction.commitAndWait()
        #expect(told == ["Anna"])
        #expect(publisher.objectID() == ann.objectID())
        #expect(publisher.object === ann)
        #expect(publisher.snapshot?.$name == "Anna")
        #expect(publisher == test.stack.publishObject(ann))
        // A publisher of the former id is also a publisher of the stored object.
        let late: ObjectPublisher<Account> = test.stack.publishObject(id)
        #expect(late.objectID() == ann.objectID())
        try test.stack.perform(synchronous: { $0.edit(ann)?.name = "Annie" })
        #expect(told == ["Anna", "Annie"])
        #expect(publisher.snapshot?.$name == "Annie")
        try test.stack.perform(synchronous: { $0.create(Into<Letter>()).author = $0.edit(ann) })
        #expect(told == ["Anna", "Annie", "Annie"])
        #expect(publisher.snapshot?.$letters.count == 1)
        try test.stack.perform(synchronous: { $0.delete(ann) })
        #expect(told == ["Anna", "Annie", "Annie", "nil"])
        #expect(publisher.object == nil && publisher.snapshot == nil)
    }

    @Test(.pins("SCH-24", "OBS-40"), arguments: TestBackend.allCases)
    func `a monitor of a merged object follows the stored object`(_ backend: TestBackend) throws {
        let (test, ann) = try make(backend)
        let transaction = test.stack.beginUnsafe()
        let new = account("Anna", in: transaction)
        let monitor = test.stack.monitorObject(new)
        let transcript = Transcript()
        monitor.addObserver(transcript)
        #expect(monitor.object == nil)
        try transaction.commitAndWait()
        #expect(monitor.object === ann)
        #expect(monitor.objectID() == ann.objectID())
        #expect(transcript.take() == ["Anna email letters name"])
        try test.stack.perform(synchronous: { $0.edit(ann)?.name = "Annie" })
        #expect(transcript.take() == ["Annie name"])
        try test.stack.perform(synchronous: { $0.create(Into<Letter>()).author = $0.edit(ann) })
        #expect(transcript.take() == ["Annie letters"])
        try test.stack.perform(synchronous: { $0.delete(ann) })
        #expect(transcript.take() == ["deleted"])
        #expect(monitor.isObjectDeleted)
    }

    @Test(.pins("SCH-24", "OBS-40"), arguments: TestBackend.allCases)
    func `observers follow the stored object even if it keeps its values`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, Self.schema(.keepStored))
        try test.stack.perform(synchronous: { _ = account("Ann", in: $0) })
        let ann = try #require(try test.stack.fetchOne(From<Account>()))
        let transaction = test.stack.beginUnsafe()
        let new = account("Anna", in: transaction)
        let monitor = test.stack.monitorObject(new)
        let publisher = test.stack.publishObject(new)
        let transcript = Transcript()
        monitor.addObserver(transcript)
        var told: [String] = []
        publisher.addObserver(owner) { told.append($0.snapshot?.$name ?? "nil") }
        #expect(publisher.snapshot == nil)
        try transaction.commitAndWait()
        #expect(monitor.object === ann)
        #expect(transcript.take() == ["Ann email letters name"])
        #expect(told == ["Ann"])
        #expect(publisher.snapshot?.$name == "Ann")
    }

    @Test(.pins("OBS-40"), arguments: TestBackend.allCases)
    func `a monitor of an unsaved object shows the object after the commit`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, Self.schema)
        let transaction = test.stack.beginUnsafe()
        let new = account("Anna", in: transaction)
        let monitor = test.stack.monitorObject(new)
        let transcript = Transcript()
        monitor.addObserver(transcript)
        #expect(monitor.object == nil)
        try transaction.commitAndWait()
        #expect(monitor.object?.name == "Anna")
        #expect(transcript.take() == ["Anna email letters name"])
        new.name = "Annie"
        try transaction.commitAndWait()
        #expect(transcript.take() == ["Annie name"])
    }

    @Test(.pins("SCH-24", "OBS-40"), arguments: TestBackend.allCases)
    func `a monitor in the transaction of a merged object follows the stored object`(
        _ backend: TestBackend
    ) throws {
        for knowsStored in [false, true] {
            let (test, ann) = try make(backend)
            let transaction = test.stack.beginUnsafe()
            let known = knowsStored ? transaction.edit(ann) : nil
            let new = account("Anna", in: transaction)
            let monitor = transaction.monitorObject(new)
            let transcript = Transcript()
            monitor.addObserver(transcript)
            transaction.flush { transaction.create(Into<Letter>()).author = new }
            #expect(transcript.take() == ["Anna letters"])
            try transaction.commitAndWait()
            #expect(monitor.objectID() == ann.objectID())
            #expect(monitor.object == new)
            _ = transcript.take()
            transaction.flush { new.name = "Annie" }
            #expect(transcript.take() == ["Annie name"])
            transaction.flush { transaction.create(Into<Letter>()).author = known ?? new }
            #expect(transcript.take() == ["Annie letters"])
            try transaction.commitAndWait()
            transaction.flush { transaction.delete(known ?? new) }
            #expect(transcript.take() == ["deleted"])
            #expect(monitor.isObjectDeleted)
        }
    }
}
