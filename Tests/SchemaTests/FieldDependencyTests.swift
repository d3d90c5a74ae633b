import Coffer
import Foundation
import TestSupport
import Testing

/// Observers of a field are called when the field is set, and when a field that affects it is set.
@MainActor
struct FieldDependencyTests {
    private class Named: CoreStoreObject {
        @Field.Stored("first") var first: String = ""
        @Field.Stored("last") var last: String = ""
    }

    private final class Author: Named {
        @Field.Stored(
            "full", customGetter: { object, _ in "\(object.$first.value) \(object.$last.value)" },
            affectedByKeyPaths: ["first", "last"]
        )
        var full: String = ""

        @Field.Stored(
            "signature", customGetter: { object, _ in "by \(object.$full.value)" }, affectedByKeyPaths: ["full"]
        )
        var signature: String = ""

        @Field.Stored(
            "summary",
            customGetter: { object, _ in "\(object.$tags.value.count) \(object.$mood.value ?? "-")" },
            affectedByKeyPaths: ["tags", "mood", "books"]
        )
        var summary: String = ""

        @Field.Coded("tags", coder: FieldCoders.Json.self) var tags: [String] = []
        @Field.Virtual("mood") var mood: String?
        @Field.Relationship("books", inverse: \.$author) var books: Set<Book>
    }

    private final class Book: CoreStoreObject {
        @Field.Relationship("author") var author: Author?
    }

    private let schema = CoreStoreSchema(
        modelVersion: "V1", entities: [Entity<Named>("Named"), Entity<Author>("Author"), Entity<Book>("Book")]
    )

    /// A record of the changes that the observers of some fields received.
    private final class Heard {
        var lines: [String] = []
        private var tokens: [any CoreStoreObjectKeyValueObservation] = []

        func observe<O: CoreStoreObject, B, V: ImportableAttributeType>(
            _ object: O, _ field: KeyPath<O, FieldContainer<B>.Stored<V>>, options: ObservationOptions = [.old, .new]
        ) {
            let name = String(keyPath: field)
            tokens.append(
                object.observe(field, options: options) { [unowned self] _, change in
                    let values = [change.oldValue, change.newValue].compactMap { $0.map { "\($0)" } }
                    lines.append("\(change.isPrior ? "prior " : "")\(name): \(values.joined(separator: " → "))")
                })
        }

        func take() -> [String] {
            defer { lines = [] }
            return lines
        }
    }

    @Test(.pins("FLD-10"), arguments: TestBackend.allCases)
    func `setting a field calls the observers of the fields that it affects`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { transaction in
            let author = transaction.create(Into<Author>())
            let heard = Heard()
            heard.observe(author, \.$full, options: [.old, .new, .prior])
            author.first = "Ann"
            #expect(heard.take() == ["prior full:  ", "full:   → Ann "])
            heard.observe(author, \.$signature)
            author.last = "Lee"
            #expect(
                heard.take() == ["prior full: Ann ", "full: Ann  → Ann Lee", "signature: by Ann  → by Ann Lee"])
            heard.observe(author, \.$first)
            author.full = "ignored"
            #expect(
                heard.take() == [
                    "prior full: Ann Lee", "full: Ann Lee → Ann Lee", "signature: by Ann Lee → by Ann Lee",
                ])
        })
    }

    @Test(.pins("FLD-10", "FLD-35"), arguments: TestBackend.allCases)
    func `fields of every kind can affect other fields`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { transaction in
            let author = transaction.create(Into<Author>())
            let heard = Heard()
            heard.observe(author, \.$summary)
            author.tags = ["a"]
            #expect(heard.take() == ["summary: 0 - → 1 -"])
            author.mood = "calm"
            #expect(heard.take() == ["summary: 1 - → 1 calm"])
            author.books = [transaction.create(Into<Book>())]
            #expect(heard.take() == ["summary: 1 calm → 1 calm"])
            let book = transaction.create(Into<Book>())
            book.author = author
            #expect(heard.take() == ["summary: 1 calm → 1 calm"])
            author.first = "Ann"
            #expect(heard.take() == [])
        })
    }

    @Test(.pins("FLD-10"), arguments: TestBackend.allCases)
    func `a commit calls the observers of the fields that its changes affect`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { $0.create(Into<Author>()).first = "Ann" })
        let author = try #require(try test.stack.fetchOne(From<Author>()))
        let heard = Heard()
        heard.observe(author, \.$full)
        heard.observe(author, \.$signature)
        heard.observe(author, \.$summary)
        func edit(_ change: (Author, BaseDataTransaction) -> Void) throws {
            try test.stack.perform(synchronous: { change(try #require($0.edit(author)), $0) })
        }
        try edit { author, _ in author.last = "Lee" }
        #expect(heard.take() == ["full: Ann  → Ann Lee", "signature: by Ann  → by Ann Lee"])
        try edit { author, _ in author.tags = ["a", "b"] }
        #expect(heard.take() == ["summary: 0 - → 2 -"])
        try edit { author, transaction in transaction.create(Into<Book>()).author = author }
        #expect(heard.take() == ["summary: 2 - → 2 -"])
        try edit { author, _ in author.mood = "calm" }
        #expect(heard.take() == [])
    }

    @Test(.pins("FLD-10")) func `a dependency on a field that the class does not have logs a warning`() {
        final class Curlew: CoreStoreObject {
            @Field.Stored("beak", affectedByKeyPaths: ["lenght"]) var beak: Int = 1
            @Field.Stored("length", affectedByKeyPaths: ["beak", "flock.name"]) var length: Int = 1
            @Field.Relationship("flock") var flock: Curlew?
            @Field.Relationship("members", inverse: \.$flock) var members: Set<Curlew>
        }
        let log = RecordingLogger.record("'Curlew.") {
            _ = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Curlew>("Curlew")]).rawModel()
        }
        #expect(
            log.entries == [
                .message(
                    .warning,
                    "'Curlew.beak' is affected by 'lenght', which is not a field of 'Curlew'. Did you mean 'length'?")
            ])
    }

    private final class Label: CoreStoreObject {
        @Field.Stored(
            "text",
            customSetter: { object, field, newValue in
                field.primitiveValue = newValue.uppercased()
                field.primitiveValue = newValue.lowercased()
                object.$note.primitiveValue = "primitive"
                object.$count.value += 1
            }
        )
        var text: String = ""

        @Field.Stored(
            "note",
            customGetter: { object, field in
                object.$reads.primitiveValue = (object.$reads.primitiveValue ?? 0) + 1
                return field.primitiveValue ?? ""
            }
        )
        var note: String = ""

        @Field.Stored("count") var count: Int = 0
        @Field.Stored("reads") var reads: Int = 0
        @Field.Coded(
            "list", coder: FieldCoders.Json.self,
            customSetter: { _, field, newValue in
                field.primitiveValue = []
                field.primitiveValue = newValue
            }
        )
        var list: [Int] = []
        @Field.Virtual("mark", customSetter: { _, field, newValue in field.primitiveValue = newValue }) var mark: Int?
        @Field.Stored(
            "all", customGetter: { object, _ in "\(object.$list.value) \(object.$mark.value ?? 0)" },
            affectedByKeyPaths: ["list", "mark"]
        )
        var all: String = ""
    }

    @Test(.pins("FLD-05", "FLD-23"), arguments: TestBackend.allCases)
    func `setting a field calls observers once, and setting a primitive value calls none`(
        _ backend: TestBackend
    ) throws {
        let test = try TestStack(backend, CoreStoreSchema(modelVersion: "V1", entities: [Entity<Label>("Label")]))
        try test.stack.perform(synchronous: { transaction in
            let label = transaction.create(Into<Label>())
            let heard = Heard()
            heard.observe(label, \.$text)
            heard.observe(label, \.$note, options: [])
            heard.observe(label, \.$count)
            heard.observe(label, \.$reads, options: [])
            label.text = "Abc"
            #expect(heard.take() == ["count: 0 → 1", "text:  → abc"])
            #expect(label.note == "primitive")
            #expect(label.reads > 0)
            label.partialObject().setPrimitiveValue("direct", for: { $0.$text })
            #expect(heard.take() == [])
            #expect(label.text == "direct")
            heard.observe(label, \.$all)
            label.list = [1]
            #expect(heard.take() == ["all: [] 0 → [1] 0"])
            label.mark = 2
            #expect(heard.take() == ["all: [1] 0 → [1] 2"])
            label.partialObject().setPrimitiveValue(3, for: { $0.$mark })
            #expect(heard.take() == [])
            #expect(label.all == "[1] 3")
        })
        let label = try #require(try test.stack.fetchOne(From<Label>()))
        #expect(label.text == "direct" && label.count == 1 && label.list == [1])
        // Outside a transaction, a change of a field with a custom setter is refused like any other change.
        let log = RecordingLogger.record("'Label' cannot be changed outside") {
            label.text = "x"
            label.list = []
            label.mark = 9
        }
        #expect(log.assertions.count == 3)
        #expect(label.mark == nil && label.list == [1])
        #expect(try test.stack.queryValue(From<Label>().select(String.self, .attribute(\.$note))) == "primitive")
    }

    @Test(.pins("FLD-06"), arguments: TestBackend.allCases)
    func `a write to a field reaches observers, publishers and undo`(_ backend: TestBackend) throws {
        final class Owner {}
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { $0.create(Into<Named>()).first = "Ann" })
        let transaction = test.stack.beginUnsafe(supportsUndo: true)
        let named = try #require(try transaction.fetchOne(From<Named>()))
        let (heard, owner) = (Heard(), Owner())
        heard.observe(named, \.$first, options: [.old, .new, .prior])
        let publisher = try #require(named.asPublisher())
        var published: [String?] = []
        publisher.addObserver(owner) { published.append($0.$first) }
        transaction.flush { named.first = "Bob" }
        #expect(heard.take() == ["prior first: Ann", "first: Ann → Bob"])
        transaction.flush { named.first = "Bob" }
        #expect(heard.take() == ["prior first: Bob", "first: Bob → Bob"])
        transaction.undo()
        transaction.undo()
        #expect(named.first == "Ann")
        #expect(!transaction.objectHasPersistentChangedValues(named))
        transaction.redo()
        try transaction.commitAndWait()
        #expect(published == ["Bob"])
    }
}
