import Coffer
import TestSupport
import Testing

/// Imports that always create objects.
@MainActor
struct ObjectImportTests {
    private typealias Note = Club.Note

    private func texts(_ source: any FetchableSource) throws -> [String?] {
        try source.fetchAll(From<Note>().orderBy(.ascending(\.$text))).map(\.text)
    }

    @Test(.pins("IMP-01"), arguments: TestBackend.allCases)
    func `importing a source creates an object, unless shouldInsert refuses`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, Club.schema)
        try test.stack.perform(synchronous: { transaction throws in
            #expect(try transaction.importObject(Into<Note>(), source: ["text": "a", "skip": ""]) == nil)
            #expect(try transaction.fetchCount(From<Note>()) == 0)
            #expect(try transaction.importObject(Into<Note>(), source: ["text": "a"])?.text == "a")
        })
        #expect(try texts(test.stack) == ["a"])
        let unsafe = test.stack.beginUnsafe()
        _ = try unsafe.importObject(Into<Note>(), source: ["text": "b"])
        try unsafe.commitAndWait()
        #expect(try texts(test.stack) == ["a", "b"])
    }

    @Test(.pins("IMP-01"), arguments: TestBackend.allCases)
    func `importing into an object calls its didInsert, unless shouldInsert refuses`(
        _ backend: TestBackend
    ) throws {
        let test = try TestStack(backend, Club.schema)
        try test.stack.perform(synchronous: { transaction throws in
            let note = try #require(try transaction.importObject(Into<Note>(), source: ["text": "a"]))
            try transaction.importObject(note, source: ["text": "b", "skip": ""])
            #expect((note.text, note.count) == ("a", 1))
            try transaction.importObject(note, source: ["text": "b"])
            #expect((note.text, note.count) == ("b", 2))
        })
        #expect(try texts(test.stack) == ["b"])
    }

    @Test(.pins("IMP-02"), arguments: TestBackend.allCases)
    func `an import that throws leaves its new object in the transaction`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, Club.schema)
        let error = #expect(throws: CoreStoreError.self) {
            try test.stack.perform(synchronous: { transaction throws in
                #expect(throws: Refusal(method: "didInsert")) {
                    try transaction.importObject(Into<Note>(), source: ["text": "a", "throw": ""])
                }
                #expect(try texts(transaction) == [nil])
                _ = try transaction.importObject(Into<Note>(), source: ["throw": ""])
            })
        }
        guard case .userError(let thrown) = error else { throw Refusal(method: "no user error") }
        #expect(thrown as? Refusal == Refusal(method: "didInsert"))
        #expect(try texts(test.stack) == [])
    }

    @Test(.pins("IMP-02"), arguments: TestBackend.allCases)
    func `an import into an object throws the error of its didInsert`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, Club.schema)
        try test.stack.perform(synchronous: { transaction throws in
            let note = try #require(try transaction.importObject(Into<Note>(), source: ["text": "a"]))
            #expect(throws: Refusal(method: "didInsert")) {
                try transaction.importObject(note, source: ["text": "b", "throw": ""])
            }
            #expect((note.text, note.count) == ("a", 1))
        })
        #expect(try texts(test.stack) == ["a"])
    }

    @Test(.pins("IMP-03"), arguments: TestBackend.allCases)
    func `several sources are imported in their order, without the refused ones`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, Club.schema)
        try test.stack.perform(synchronous: { transaction throws in
            let sources = ["c", "a", "b"].map { ["text": $0] }
            let notes = try transaction.importObjects(Into<Note>(), sourceArray: [["skip": ""]] + sources)
            #expect(notes.map(\.text) == ["c", "a", "b"])
            #expect(try transaction.importObjects(Into<Note>(), sourceArray: []).isEmpty)
            #expect(try transaction.importObjects(Into<Note>(), sourceArray: AnySequence([["text": "d"]])).count == 1)
        })
        #expect(try texts(test.stack) == ["a", "b", "c", "d"])
    }

    @Test(.pins("IMP-03"), arguments: TestBackend.allCases)
    func `an error ends an import of several sources at the failed source`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, Club.schema)
        try test.stack.perform(synchronous: { transaction throws in
            let sources = [["text": "a"], ["text": "b", "throw": ""], ["text": "c"]]
            #expect(throws: Refusal(method: "didInsert")) {
                try transaction.importObjects(Into<Note>(), sourceArray: sources)
            }
            #expect(try texts(transaction) == [nil, "a"])
        })
        #expect(try texts(test.stack) == [nil, "a"])
    }
}

/// Imports from sources of any type.
@MainActor
struct ImportSourceTests {
    private final class Tick: CoreStoreObject, ImportableObject {
        @Field.Stored("count") var count: Int = 0

        func didInsert(from source: Void, in transaction: BaseDataTransaction) throws { count += 1 }
    }

    private final class Word: CoreStoreObject, ImportableObject {
        @Field.Stored("text") var text: String?

        func didInsert(from source: String?, in transaction: BaseDataTransaction) throws { text = source }
    }

    private final class Pair: CoreStoreObject, ImportableUniqueObject {
        @Field.Stored("first") var first: String = ""
        @Field.Stored("second") var second: Int = 0

        static var uniqueIDKeyPath: String { "first" }

        static func uniqueID(from source: (String, Int)?, in transaction: BaseDataTransaction) throws -> String? {
            source?.0
        }

        func update(from source: (String, Int)?, in transaction: BaseDataTransaction) throws {
            second = source?.1 ?? 0
        }
    }

    private let schema = CoreStoreSchema(
        modelVersion: "V1", entities: [Entity<Tick>("Tick"), Entity<Word>("Word"), Entity<Pair>("Pair")])

    @Test(.pins("IMP-11"), arguments: TestBackend.allCases)
    func `sources may be optionals, tuples or Void`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { transaction throws in
            #expect(try transaction.importObject(Into<Tick>(), source: ())?.count == 1)
            #expect(try transaction.importObjects(Into<Tick>(), sourceArray: [(), ()]).count == 2)
            #expect(try transaction.importObject(Into<Word>(), source: nil)?.text == nil)
            let words: [String?] = ["a", nil]
            #expect(try transaction.importObjects(Into<Word>(), sourceArray: words).map(\.text) == ["a", nil])
            let pairs: [(String, Int)?] = [("a", 1), nil, ("b", 2), ("a", 3)]
            let imported = try transaction.importUniqueObjects(Into<Pair>(), sourceArray: pairs)
            #expect(imported.map(\.second) == [3, 2])
            #expect(try transaction.importUniqueObject(Into<Pair>(), source: nil) == nil)
        })
        #expect(try test.stack.fetchCount(From<Tick>()) == 3)
        #expect(try test.stack.fetchCount(From<Pair>()) == 2)
    }
}
