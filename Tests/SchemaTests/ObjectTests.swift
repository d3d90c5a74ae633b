import Coffer
import Foundation
import TestSupport
import Testing

/// Objects in their contexts.
@MainActor
struct ObjectTests {
    private class Base: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
        @Field.Stored("rank") var rank: Int = 0
    }

    private final class Sub: Base {
        @Field.Stored("extra") var extra: String = "e"
        @Field.Relationship("boss", inverse: \.$team) var boss: Sub?
        @Field.Relationship("team") var team: Set<Sub>
    }

    private func makeStack(_ backend: TestBackend) throws -> TestStack {
        let test = try TestStack(
            backend, CoreStoreSchema(modelVersion: "V1", entities: [Entity<Base>("Base"), Entity<Sub>("Sub")])
        )
        try test.stack.perform(synchronous: { $0.create(Into<Sub>()).name = "one" })
        return test
    }

    @Test(.pins("SCH-03"), arguments: TestBackend.allCases)
    func `a context has one object for a row`(_ backend: TestBackend) throws {
        let test = try makeStack(backend)
        let object = try #require(try test.stack.fetchOne(From<Base>()))
        #expect(try test.stack.fetchOne(From<Sub>()) === object)
        let existing: Base? = test.stack.fetchExisting(object.objectID())
        #expect(existing === object)
        let inside = try test.stack.perform(synchronous: { transaction in
            let inside = try #require(transaction.edit(object))
            #expect(inside !== object)
            #expect(inside != object)
            #expect(inside.objectID() == object.objectID())
            let again = try transaction.fetchOne(From<Base>())
            #expect(again === inside)
            #expect(transaction.edit(inside) === inside)
            return Set([inside, object].map(ObjectIdentifier.init)).count
        })
        #expect(inside == 2)
        let apart = try test.stack.perform(synchronous: { Set([try #require($0.edit(object)), object]).count })
        #expect(apart == 2)
        #expect(Set([object, try #require(try test.stack.fetchOne(From<Base>()))]).count == 1)
    }

    @Test(.pins("SCH-03"), arguments: TestBackend.allCases)
    func `a context of any kind has one object for a row`(_ backend: TestBackend) async throws {
        let test = try makeStack(backend)
        let object = try #require(try test.stack.fetchOne(From<Base>()))
        let id = object.objectID()
        try await test.stack.async.perform { transaction in
            let own: Base = try #require(transaction.fetchExisting(id))
            let again = try transaction.fetchOne(From<Sub>())
            #expect(again === own)
        }
        try await test.stack.async.read { reading in
            let own: Base = try #require(reading.fetchExisting(id))
            let again = try reading.fetchOne(From<Sub>())
            #expect(again === own)
        }
        let parent = test.stack.beginUnsafe()
        let child = parent.beginUnsafe()
        let (own, childs) = (try #require(parent.edit(object)), try #require(child.edit(object)))
        #expect(try parent.fetchOne(From<Sub>()) === own)
        #expect(try child.fetchOne(From<Sub>()) === childs)
        #expect(own != childs && own != object && childs != object)
        #expect(Set([object, own, childs]).count == 3)
        #expect(Set([object, own, childs].map { $0.objectID() }) == [id])
    }

    @Test(.pins("SCH-01", "SCH-03"), arguments: TestBackend.allCases)
    func `a context releases objects without other references and keeps referenced objects`(
        _ backend: TestBackend
    ) throws {
        final class Noted: CoreStoreObject {
            var note = ""
            @Field.Stored("number") var number: Int = 0
        }
        struct Weak {
            weak var object: Noted?
        }
        let test = try TestStack(backend, CoreStoreSchema(modelVersion: "V1", entities: [Entity<Noted>("Noted")]))
        try test.stack.perform(synchronous: { transaction in
            for number in 0..<5_000 { transaction.create(Into<Noted>()).number = number }
        })
        func fetch(_ number: Int) throws -> Noted? { try test.stack.fetchOne(From<Noted>().where(\.$number == number)) }
        let held = try #require(try fetch(0))
        held.note = "held"
        let others = try test.stack.fetchAll(From<Noted>().where(\.$number > 0)).map { object in
            object.note = "dropped"
            return Weak(object: object)
        }
        #expect(others.count == 4_999)
        // A context with thousands of objects checks which of them the program still references before it creates
        // more.
        #expect(try fetch(1)?.number == 1)
        #expect(others.filter { $0.object?.note == "dropped" }.count < 4_999)
        #expect(try test.stack.fetchAll(From<Noted>().where(\.$number > 0)).count == 4_999)
        #expect(try fetch(4_998)?.note == "")
        #expect(try fetch(0) === held && held.note == "held")
    }

    @Test(.pins("SCH-05"), arguments: TestBackend.allCases)
    func `an object returns its stack or transaction`(_ backend: TestBackend) throws {
        let test = try makeStack(backend)
        let object = try #require(try test.stack.fetchOne(From<Base>()))
        #expect(object.fetchSource() === test.stack)
        #expect(object.querySource() === test.stack)
        #expect(object.fetchSource()?.unsafeContext() == test.stack.unsafeContext())
        var transaction: UnsafeDataTransaction? = test.stack.beginUnsafe()
        let inside = try #require(transaction?.edit(object))
        #expect(inside.fetchSource() === transaction)
        #expect(inside.querySource()?.unsafeContext() == transaction?.unsafeContext())
        #expect(inside.fetchSource()?.unsafeContext() != test.stack.unsafeContext())
        transaction = nil
        #expect(inside.fetchSource() == nil)
        #expect(inside.querySource() == nil)
        #expect(inside.name == "one")
    }

    @Test(.pins("SCH-06"), arguments: TestBackend.allCases)
    func `refreshing drops or keeps pending changes`(_ backend: TestBackend) throws {
        let test = try makeStack(backend)
        let transaction = test.stack.beginUnsafe()
        let object = try #require(try transaction.fetchOne(From<Base>()))
        object.name = "edited"
        try test.stack.perform(synchronous: { transaction in
            let other = try #require(try transaction.fetchOne(From<Base>()))
            other.name = "committed"
            other.rank = 5
        })
        #expect(object.rank == 0)
        object.refreshAndMerge()
        #expect(object.name == "edited")
        #expect(object.rank == 5)
        #expect(transaction.hasChanges)
        object.refreshAsFault()
        #expect(object.name == "committed")
        #expect(object.rank == 5)
        #expect(!transaction.hasChanges)
        object.rank = 6
        try transaction.commitAndWait()
        let saved = try #require(try test.stack.fetchOne(From<Base>()))
        #expect(saved.name == "committed")
        #expect(saved.rank == 6)
    }

    @Test(.pins("SCH-06"), arguments: TestBackend.allCases)
    func `merging keeps pending relationships and coded values`(_ backend: TestBackend) throws {
        final class Note: CoreStoreObject {
            @Field.Stored("text") var text: String = ""
            @Field.Coded("list", coder: FieldCoders.Json.self) var list: [Int] = []
            @Field.Relationship("folder") var folder: Folder?
        }
        final class Folder: CoreStoreObject {
            @Field.Stored("name") var name: String = ""
            @Field.Relationship("notes", inverse: \.$folder) var notes: Set<Note>
        }
        let test = try TestStack(
            backend, CoreStoreSchema(modelVersion: "V1", entities: [Entity<Note>("Note"), Entity<Folder>("Folder")]))
        try test.stack.perform(synchronous: { transaction in
            for name in ["one", "two"] { transaction.create(Into<Folder>()).name = name }
            _ = transaction.create(Into<Note>())
        })
        let transaction = test.stack.beginUnsafe()
        let note = try #require(try transaction.fetchOne(From<Note>()))
        note.list = [1]
        note.folder = try transaction.fetchOne(From<Folder>().where(\.$name == "two"))
        try test.stack.perform(synchronous: { other in
            let note = try #require(try other.fetchOne(From<Note>()))
            note.text = "committed"
            note.list = [2]
            note.folder = try other.fetchOne(From<Folder>().where(\.$name == "one"))
        })
        note.refreshAndMerge()
        #expect(note.text == "committed")
        #expect(note.list == [1])
        #expect(note.folder?.name == "two")
        #expect(note.folder?.notes == [note])
        try transaction.commitAndWait()
        let saved = try #require(try test.stack.fetchOne(From<Note>()))
        #expect(saved.text == "committed" && saved.list == [1])
        #expect(saved.folder?.name == "two" && saved.folder?.notes == [saved])
    }

    @Test(.pins("SCH-06"), arguments: TestBackend.persistent)
    func `refreshing an object of a stack reads the changes that another process has saved`(
        _ backend: TestBackend
    ) throws {
        let test = try makeStack(backend)
        let object = try #require(try test.stack.fetchOne(From<Base>()))
        #expect(object.name == "one")
        // The stack has its own storage for the same place, like the stack of another process.
        let other = DataStack(
            CoreStoreSchema(modelVersion: "V1", entities: [Entity<Base>("Base"), Entity<Sub>("Sub")]))
        try TestStack.addStore(backend, to: other, in: test.directory)
        defer { other.unsafeRemoveAllPersistentStoresAndWait() }
        func save(_ name: String) throws {
            try other.perform(synchronous: { transaction in
                let object = try #require(try transaction.fetchOne(From<Base>()))
                object.name = name
            })
        }
        try save("two")
        object.refreshAsFault()
        #expect(object.name == "two")
        try save("three")
        object.refreshAndMerge()
        #expect(object.name == "three")
    }

    @Test(.pins("SCH-06"), arguments: TestBackend.allCases)
    func `refreshing as a fault drops pending relationships too`(_ backend: TestBackend) throws {
        final class Book: CoreStoreObject {
            @Field.Relationship("shelf") var shelf: Shelf?
            @Field.Relationship("topics", inverse: \.$books) var topics: [Topic]
        }
        final class Shelf: CoreStoreObject {
            @Field.Relationship("books", inverse: \.$shelf) var books: Set<Book>
        }
        final class Topic: CoreStoreObject {
            @Field.Stored("number") var number: Int = 0
            @Field.Relationship("books") var books: Set<Book>
        }
        let entities: [DynamicEntity] = [Entity<Book>("Book"), Entity<Shelf>("Shelf"), Entity<Topic>("Topic")]
        let test = try TestStack(backend, CoreStoreSchema(modelVersion: "V1", entities: entities))
        let transaction = test.stack.beginUnsafe()
        let books = (0..<2).map { _ in transaction.create(Into<Book>()) }
        let (old, new) = (transaction.create(Into<Shelf>()), transaction.create(Into<Shelf>()))
        let topics = (0..<3).map { number in
            let topic = transaction.create(Into<Topic>())
            topic.number = number
            return topic
        }
        for book in books { (book.shelf, book.topics) = (old, [topics[0], topics[1]]) }
        try transaction.commitAndWait()
        for book in books { (book.shelf, book.topics) = (new, [topics[2], topics[1]]) }
        books[0].refreshAsFault()
        #expect(books[0].shelf === old)
        #expect(books[0].topics == [topics[0], topics[1]])
        #expect(old.books == [books[0]])
        #expect(topics.map(\.books) == [[books[0]], Set(books), [books[1]]])
        #expect(books[1].topics == [topics[2], topics[1]])
        books[1].refreshAsFault()
        #expect(!transaction.hasChanges)
        #expect(new.books.isEmpty)
        #expect(topics.map(\.books) == [Set(books), Set(books), []])
        try transaction.commitAndWait()
        let saved = try test.stack.fetchAll(From<Topic>().orderBy(.ascending(\.$number)))
        #expect(saved.map(\.books.count) == [2, 2, 0])
    }

    @Test(.pins("SCH-07")) func `key paths convert to the names in the store`() {
        #expect(String(keyPath: \Sub.$extra) == "extra")
        #expect(String(keyPath: \Sub.$name) == "name")
        #expect(String(keyPath: \Sub.$boss) == "boss")
        #expect(String(keyPath: \Sub.$boss ~ \.$name) == "boss.name")
        #expect(String(keyPath: \Sub.$boss ~ \.$boss ~ \.$extra) == "boss.boss.extra")
        #expect(String(keyPath: (\Sub.$team).count()) == "team.@count")
    }

    @Test(.pins("SCH-07")) func `a key path converts to the name in the store, whatever the name of the property`() {
        class Former: CoreStoreObject {
            @Field.Stored("first_name") var name: String = ""
            @Field.Relationship("next_one", inverse: \.$previous) var next: Former?
            @Field.Relationship("previous_one") var previous: Former?
        }
        final class Latter: Former {
            @Field.Coded("all_numbers", coder: FieldCoders.Json.self) var numbers: [Int] = []
            @Field.Virtual("a memo") var memo: Int?
            @Field.Relationship("the_parts", inverse: \.$whole) var parts: [Latter]
            @Field.Relationship("the_whole") var whole: Latter?
        }
        #expect(String(keyPath: \Latter.$name) == "first_name")
        #expect(String(keyPath: \Latter.$next) == "next_one")
        #expect(String(keyPath: \Latter.$numbers) == "all_numbers")
        #expect(String(keyPath: \Latter.$memo) == "a memo")
        #expect(String(keyPath: \Latter.$parts) == "the_parts")
        #expect(String(keyPath: \Latter.$whole ~ \.$name) == "the_whole.first_name")
        #expect(String(keyPath: \Latter.$whole ~ \.$next ~ \.$name) == "the_whole.next_one.first_name")
        #expect(String(keyPath: (\Latter.$parts).count()) == "the_parts.@count")
    }

    @Test(.pins("SCH-08"), arguments: TestBackend.allCases)
    func `the changed objects of a class include objects of its subclasses`(_ backend: TestBackend) throws {
        let test = try makeStack(backend)
        let old = try #require(try test.stack.fetchOne(From<Base>()))
        try test.stack.perform(synchronous: { transaction in
            let base = transaction.create(Into<Base>())
            let sub = transaction.create(Into<Sub>())
            #expect(transaction.insertedObjects(Base.self) == [base, sub])
            #expect(transaction.insertedObjects(Sub.self) == [sub])
            #expect(transaction.insertedObjectIDs(Base.self) == [base.objectID(), sub.objectID()])
            let edited = try #require(transaction.edit(old))
            edited.rank = 1
            #expect(transaction.updatedObjects(Base.self) == [edited])
            #expect(transaction.updatedObjects(Sub.self).count == 1)
            transaction.delete(edited)
            #expect(transaction.deletedObjects(Base.self) == [edited])
            #expect(transaction.updatedObjects(Base.self).isEmpty)
        })
    }

    @Test(.pins("SCH-10"), arguments: TestBackend.allCases)
    func `user info keeps its values and creates lazy values once`(_ backend: TestBackend) throws {
        let test = try makeStack(backend)
        let keys = (0..<2).map { _ in UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1) }
        defer { for key in keys { key.deallocate() } }
        let (first, second) = (UnsafeRawPointer(keys[0]), UnsafeRawPointer(keys[1]))
        let info = test.stack.userInfo
        #expect(info[first] == nil)
        info[first] = 5
        #expect(info[first] as? Int == 5)
        info[first] = nil
        #expect(info[first] == nil)
        let calls = Guarded(0)
        nonisolated(unsafe) let shared = second
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            _ = info[shared, lazyInit: { calls.withLock { $0 += 1 } }]
        }
        #expect(calls.withLock { $0 } == 1)
        let transaction = test.stack.beginUnsafe()
        #expect(transaction.userInfo[second] == nil)
        #expect(transaction.userInfo[second, lazyInit: { "made" }] as? String == "made")
    }

    @Test(.pins("SCH-01"), arguments: TestBackend.allCases)
    func `a class may have its own stored properties beside its fields`(_ backend: TestBackend) throws {
        class Own: CoreStoreObject {
            var cache: [String] = ["a"]
            @Field.Stored("first") var first: Int = 1
            let helper = Own.makeHelper()
            @Field.Stored("second") var second: Int = 2

            static func makeHelper() -> String { "\(String(keyPath: \Sub.$extra))" }
        }
        let test = try TestStack(backend, CoreStoreSchema(modelVersion: "V1", entities: [Entity<Own>("Own")]))
        try test.stack.perform(synchronous: { transaction in
            let own = transaction.create(Into<Own>())
            own.second = 20
        })
        let own = try #require(try test.stack.fetchOne(From<Own>()))
        #expect(own.first == 1 && own.second == 20)
        #expect(own.cache == ["a"] && own.helper == "extra")
    }
}
