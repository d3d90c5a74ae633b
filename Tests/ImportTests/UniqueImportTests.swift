import Coffer
import TestSupport
import Testing

/// Imports of one object with a unique id.
@MainActor
struct UniqueImportTests {
    private typealias Member = Club.Member

    /// A class with only the required methods.
    private final class Coin: CoreStoreObject, ImportableUniqueObject {
        @Field.Stored("code", customGetter: { _, field in "<\(field.primitiveValue ?? "")>" })
        var code: String = ""
        @Field.Stored("value") var value: Int = 0

        static var uniqueIDKeyPath: String { "code" }

        static func uniqueID(from source: (String, Int), in transaction: BaseDataTransaction) throws -> String? {
            source.0
        }

        func update(from source: (String, Int), in transaction: BaseDataTransaction) throws { value = source.1 }
    }

    /// A class that refuses updates, and therefore also inserts.
    private final class Seal: CoreStoreObject, ImportableUniqueObject {
        @Field.Stored("code") var code: String = ""

        static var uniqueIDKeyPath: String { "code" }

        static func uniqueID(from source: String, in transaction: BaseDataTransaction) throws -> String? { source }

        static func shouldUpdate(from source: String, in transaction: BaseDataTransaction) -> Bool { source == "x" }

        func update(from source: String, in transaction: BaseDataTransaction) throws {}
    }

    /// A class with a wrong key path.
    private final class Stray: CoreStoreObject, ImportableUniqueObject {
        @Field.Stored("code") var code: String = ""
        @Field.Relationship("owner") var owner: Stray?
        @Field.Relationship("owned", inverse: \.$owner) var owned: Set<Stray>

        static var uniqueIDKeyPath: String { "cod" }

        static func uniqueID(from source: String, in transaction: BaseDataTransaction) throws -> String? { source }

        func update(from source: String, in transaction: BaseDataTransaction) throws {}
    }

    private let schema = CoreStoreSchema(
        modelVersion: "V1", entities: [Entity<Coin>("Coin"), Entity<Seal>("Seal"), Entity<Stray>("Stray")])

    @Test(.pins("IMP-04"), arguments: TestBackend.allCases)
    func `a source without an id is left out`(_ backend: TestBackend) throws {
        let test = try Club.filled(backend)
        let journal = Journal()
        try test.stack.perform(synchronous: { transaction throws in
            let source = Club.Source(number: nil, name: "Dan", journal: journal)
            #expect(try transaction.importUniqueObject(Into<Member>(), source: source) == nil)
            #expect(!transaction.hasChanges)
        })
        #expect(journal.calls == ["uniqueID - Dan"])
    }

    @Test(.pins("IMP-04"), arguments: TestBackend.allCases)
    func `an import updates the object that has the id`(_ backend: TestBackend) throws {
        let test = try Club.filled(backend)
        let journal = Journal()
        try test.stack.perform(synchronous: { transaction throws in
            let source = Club.Source(number: 2, name: "Bea", journal: journal)
            let member = try transaction.importUniqueObject(Into<Member>(), source: source)
            #expect(member?.name == "Bea")
            let refused = Club.Source(number: 1, name: "Eve", refuses: .shouldUpdate, journal: journal)
            #expect(try transaction.importUniqueObject(Into<Member>(), source: refused) == nil)
        })
        #expect(
            journal.calls == [
                "uniqueID 2 Bea", "shouldUpdate 2 Bea", "update 2 Bea", "uniqueID 1 Eve", "shouldUpdate 1 Eve",
            ])
        #expect(try Club.members(test.stack) == ["1 Ann", "2 Bea", "3 Cat"])
    }

    @Test(.pins("IMP-04"), arguments: TestBackend.allCases)
    func `an import of an unknown id creates an object that has this id`(_ backend: TestBackend) throws {
        let test = try Club.filled(backend)
        let journal = Journal()
        try test.stack.perform(synchronous: { transaction throws in
            var source = Club.Source(number: 4, name: "Dan", journal: journal)
            source.then = { member, _ in journal.note("number \(member.number)") }
            #expect(try transaction.importUniqueObject(Into<Member>(), source: source)?.name == "Dan")
            let refused = Club.Source(number: 5, name: "Eve", refuses: .shouldInsert, journal: journal)
            #expect(try transaction.importUniqueObject(Into<Member>(), source: refused) == nil)
        })
        #expect(
            journal.calls == [
                "uniqueID 4 Dan", "shouldInsert 4 Dan", "didInsert 4 Dan", "number 4", "uniqueID 5 Eve",
                "shouldInsert 5 Eve",
            ])
        #expect(try Club.members(test.stack) == ["1 Ann", "2 Bob", "3 Cat", "4 Dan"])
    }

    @Test(.pins("IMP-04"), arguments: TestBackend.allCases)
    func `an import throws the errors of the methods of the class`(_ backend: TestBackend) throws {
        let test = try Club.filled(backend)
        try test.stack.perform(synchronous: { transaction throws in
            for (number, method) in [(1, Club.Method.uniqueID), (4, .didInsert), (2, .update)] {
                #expect(throws: Refusal(method: method.rawValue)) {
                    let source = Club.Source(number: number, name: "Eve", fails: method)
                    _ = try transaction.importUniqueObject(Into<Member>(), source: source)
                }
            }
            // IMP-02: the new object has its id already.
            #expect(try Club.members(transaction) == ["1 Ann", "2 Bob", "3 Cat", "4 "])
        })
    }

    @Test(.pins("IMP-02"), arguments: TestBackend.allCases)
    func `incomplete objects of a failed import are saved or discarded with the transaction`(
        _ backend: TestBackend
    ) throws {
        let test = try Club.filled(backend)
        func failing(_ number: Int, _ name: String) -> Club.Source {
            var source = Club.Source(number: number, name: name)
            source.then = { _, _ in throw Refusal(method: "half way") }
            return source
        }
        let sources = [failing(4, "Dan"), failing(2, "Bea")]
        func fail(in transaction: BaseDataTransaction) throws {
            for source in sources {
                #expect(throws: Refusal(method: "half way")) {
                    _ = try transaction.importUniqueObject(Into<Member>(), source: source)
                }
            }
            #expect(try Club.members(transaction) == ["1 Ann", "2 Bea", "3 Cat", "4 Dan"])
        }
        #expect(throws: CoreStoreError.userCancelled) {
            try test.stack.perform(synchronous: { transaction throws in
                try fail(in: transaction)
                try transaction.cancel()
            })
        }
        #expect(try Club.members(test.stack) == ["1 Ann", "2 Bob", "3 Cat"])
        try test.stack.perform(synchronous: { try fail(in: $0) })
        #expect(try Club.members(test.stack) == ["1 Ann", "2 Bea", "3 Cat", "4 Dan"])
    }

    @Test(.pins("IMP-04"), arguments: TestBackend.allCases)
    func `an import finds an object in every store, whatever configuration Into names`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, Club.schema)
        test.stack.unsafeRemoveAllPersistentStoresAndWait()
        for configuration in ["A", "B"] { try test.addStore(configuration: configuration) }
        try test.stack.perform(synchronous: { transaction throws in
            _ = try transaction.importUniqueObject(Into<Member>("B"), source: .init(number: 1, name: "Ann"))
        })
        try test.stack.perform(synchronous: { transaction throws in
            _ = try transaction.importUniqueObject(Into<Member>("A"), source: .init(number: 1, name: "Amy"))
            let sources = [Club.Source(number: 2, name: "Bob"), .init(number: 1, name: "Ada")]
            _ = try transaction.importUniqueObjects(Into<Member>("A"), sourceArray: sources)
        })
        #expect(try test.stack.fetchAll(From<Member>("A")).map(\.name) == ["Bob"])
        #expect(try test.stack.fetchAll(From<Member>("B")).map(\.name) == ["Ada"])
    }

    @Test(.pins("IMP-04"), arguments: TestBackend.allCases)
    func `an Into clause for a subclass finds and creates objects of the subclass`(_ backend: TestBackend) throws {
        let test = try Club.filled(backend)
        try test.stack.perform(synchronous: { transaction throws in
            let guest = try transaction.importUniqueObject(Into<Member>(Club.Guest.self), source: .init(number: 1))
            #expect(guest is Club.Guest)
            let member = try transaction.importUniqueObject(Into<Member>(), source: .init(number: 4))
            #expect(try transaction.importUniqueObject(Into<Member>(), source: .init(number: 4)) == member)
        })
        #expect(try test.stack.fetchCount(From<Member>()) == 5)
    }

    @Test(.pins("IMP-05"), arguments: TestBackend.allCases)
    func `update is also called for new objects if the class implements only update`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { transaction throws in
            #expect(try transaction.importUniqueObject(Into<Coin>(), source: ("EUR", 2))?.value == 2)
            #expect(try transaction.importUniqueObject(Into<Coin>(), source: ("EUR", 1))?.value == 1)
        })
        #expect(try test.stack.fetchAll(From<Coin>()).map(\.value) == [1])
    }

    @Test(.pins("IMP-05"), arguments: TestBackend.allCases)
    func `the id is read and written without the accessors of its field`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { transaction throws in
            let coin = try #require(try transaction.importUniqueObject(Into<Coin>(), source: ("EUR", 2)))
            #expect((coin.uniqueIDValue, coin.code) == ("EUR", "<EUR>"))
            coin.uniqueIDValue = "USD"
            #expect(coin.code == "<USD>")
        })
        #expect(try test.stack.fetchOne(From<Coin>())?.uniqueIDValue == "USD")
    }

    @Test(.pins("IMP-05"), arguments: TestBackend.allCases)
    func `without a shouldInsert, shouldUpdate decides on new objects too`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { transaction throws in
            let seals = try transaction.importUniqueObjects(Into<Seal>(), sourceArray: ["w", "x", "y"])
            #expect(seals.map(\.code) == ["x"])
        })
    }

    @Test(.pins("IMP-09"), arguments: TestBackend.allCases)
    func `an import finds objects by the pending values of its transaction`(_ backend: TestBackend) throws {
        let test = try Club.filled(backend)
        try test.stack.perform(synchronous: { transaction throws in
            let dan = transaction.create(Into<Member>())
            #expect(try transaction.importUniqueObject(Into<Member>(), source: .init(number: -1)) == dan)
            dan.number = 4
            #expect(try transaction.importUniqueObject(Into<Member>(), source: .init(number: 4, name: "Dan")) == dan)
            let bob = try #require(try transaction.fetchOne(From<Member>().where(\.$number == 2)))
            bob.number = 9
            #expect(try transaction.importUniqueObject(Into<Member>(), source: .init(number: 9, name: "Bo")) == bob)
            let other = try transaction.importUniqueObject(Into<Member>(), source: .init(number: 2, name: "Bea"))
            #expect(other != bob)
            transaction.delete(dan)
            #expect(try transaction.importUniqueObject(Into<Member>(), source: .init(number: 4, name: "D")) != dan)
        })
        #expect(try Club.members(test.stack) == ["1 Ann", "2 Bea", "3 Cat", "4 D", "9 Bo"])
    }

    @Test(.pins("IMP-09"), arguments: TestBackend.allCases)
    func `an import in a child transaction finds objects of the parent transaction`(_ backend: TestBackend) throws {
        let test = try Club.filled(backend)
        let parent = test.stack.beginUnsafe()
        _ = try parent.importUniqueObject(Into<Member>(), source: .init(number: 4, name: "Dan"))
        let child = parent.beginUnsafe()
        let sources = [(4, "Dora"), (1, "Amy"), (5, "Eve")].map { Club.Source(number: $0.0, name: $0.1) }
        _ = try child.importUniqueObjects(Into<Member>(), sourceArray: sources)
        try child.commitAndWait()
        try parent.commitAndWait()
        #expect(try Club.members(test.stack) == ["1 Amy", "2 Bob", "3 Cat", "4 Dora", "5 Eve"])
    }

    @Test(.pins("IMP-04"), arguments: TestBackend.allCases)
    func `an id key path that names no attribute throws an error`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        try RecordingLogger.record("Stray") {
            try test.stack.perform(synchronous: { transaction throws in
                let error = #expect(throws: CoreStoreError.self) {
                    try transaction.importUniqueObject(Into<Stray>(), source: "x")
                }
                #expect(error?.storageError?.message == "'Stray' has no property 'cod'. Did you mean 'code'?")
                #expect(!transaction.hasChanges)
            })
        }
    }
}
