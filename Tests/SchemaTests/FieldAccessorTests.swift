import Coffer
import Foundation
import TestSupport
import Testing

/// Custom getters and setters, and the fields that they can access.
@MainActor
struct FieldAccessorTests {
    private class Being: CoreStoreObject {
        @Field.Stored("kind") var kind: String = "being"
    }

    private final class Person: Being {
        @Field.Stored("first") var first: String = ""
        @Field.Stored("last") var last: String = ""

        @Field.Stored(
            "full",
            customGetter: { object, field in
                field.primitiveValue ?? "\(object.$kind.value) \(object.$first.value) \(object.$last.value)"
            },
            customSetter: { object, field, newValue in
                let parts = (newValue ?? "").split(separator: " ").map(String.init)
                object.$first.value = parts.first ?? ""
                object.$last.primitiveValue = parts.last
                field.primitiveValue = nil
            },
            affectedByKeyPaths: ["first", "last"]
        )
        var full: String?

        @Field.Stored(
            "score", customGetter: { _, field in (field.primitiveValue ?? -1) * 10 },
            customSetter: { _, field, newValue in field.primitiveValue = min(newValue, 9) }
        )
        var score: Int = 3
    }

    private let schema = CoreStoreSchema(
        modelVersion: "V1", entities: [Entity<Being>("Being"), Entity<Person>("Person")]
    )

    @Test(.pins("FLD-05"), arguments: TestBackend.allCases)
    func `custom accessors replace reading and writing`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { transaction in
            let person = transaction.create(Into<Person>())
            #expect(person.score == 30)
            person.score = 12
            #expect(person.score == 90)
            person.full = "Ann Lee"
            #expect(person.first == "Ann")
            #expect(person.last == "Lee")
            #expect(person.full == "being Ann Lee")
            person.kind = "human"
            #expect(person.full == "human Ann Lee")
        })
        let person = try #require(try test.stack.fetchOne(From<Person>()))
        #expect(person.score == 90)
        #expect(person.full == "human Ann Lee")
        // The store has the values that the setters wrote.
        #expect(try test.stack.queryValue(From<Person>().select(Int.self, .attribute(\.$score))) == 9)
        #expect(try test.stack.fetchCount(From<Person>().where(\.$full == nil && \.$last == "Lee")) == 1)
        try test.stack.perform(synchronous: { transaction in
            let edited = try #require(transaction.edit(person))
            edited.score = 4
            #expect(transaction.updatedObjects(Person.self) == [edited])
        })
        #expect(person.score == 40)
    }

    private final class Tern: CoreStoreObject {
        @Field.Stored(
            "note",
            customGetter: { _, field in
                switch field.primitiveValue {
                case nil: "null"
                case .some(nil): "a null that is a value"
                case .some(let text?): text
                }
            })
        var note: String?
        @Field.Stored(
            "size",
            customGetter: { object, field in
                (field.primitiveValue ?? 0) + (object.$note.primitiveValue == nil ? 100 : 0)
            })
        var size: Int = 3
    }

    @Test(.pins("FLD-05"), arguments: TestBackend.allCases)
    func `the primitive value is the stored value, and nil for null`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, CoreStoreSchema(modelVersion: "V1", entities: [Entity<Tern>("Tern")]))
        func check(_ tern: Tern?, _ note: String, _ size: Int, location: SourceLocation = #_sourceLocation) {
            #expect(tern?.note == note && tern?.size == size, sourceLocation: location)
        }
        try test.stack.perform(synchronous: { transaction in
            let tern = transaction.create(Into<Tern>())
            check(tern, "null", 103)
            tern.note = "a"
            check(tern, "a", 3)
            tern.note = nil
            check(tern, "null", 103)
        })
        let tern = try #require(try test.stack.fetchOne(From<Tern>()))
        check(tern, "null", 103)
        try test.stack.perform(synchronous: { transaction in
            let edited = try #require(transaction.edit(tern))
            (edited.note, edited.size) = ("b", 4)
            check(edited, "b", 4)
        })
        check(tern, "b", 4)
    }

    @Test(.pins("FLD-05"), arguments: TestBackend.allCases)
    func `accessors of a superclass apply to its subclasses`(_ backend: TestBackend) throws {
        class Account: CoreStoreObject {
            @Field.Stored("id", customSetter: { _, field, value in field.primitiveValue = value.uppercased() })
            var id: String = "none"
        }
        final class Special: Account {
            @Field.Stored("note") var note: String = ""
        }
        let test = try TestStack(
            backend,
            CoreStoreSchema(modelVersion: "V1", entities: [Entity<Account>("Account"), Entity<Special>("Special")])
        )
        try test.stack.perform(synchronous: { transaction in
            let special = transaction.create(Into<Special>())
            special.id = "abc"
            special.note = "abc"
        })
        let special = try #require(try test.stack.fetchOne(From<Account>().where(\.$id == "ABC")) as? Special)
        #expect(special.id == "ABC")
        #expect(special.note == "abc")
    }

    @Test(.pins("FLD-10"), arguments: TestBackend.allCases)
    func `a dependent field keeps its own stored value`(_ backend: TestBackend) throws {
        class Label: CoreStoreObject {
            @Field.Stored("text") var text: String = "a"
            @Field.Stored(
                "cached",
                customGetter: { object, field in
                    if let known = field.primitiveValue { return known }
                    return object.$text.value
                },
                affectedByKeyPaths: ["text"]
            )
            var cached: String?
        }
        let test = try TestStack(backend, CoreStoreSchema(modelVersion: "V1", entities: [Entity<Label>("Label")]))
        try test.stack.perform(synchronous: { transaction in
            let label = transaction.create(Into<Label>())
            #expect(label.cached == "a")
            label.cached = "kept"
            label.text = "b"
            #expect(label.cached == "kept")
            label.cached = nil
            #expect(label.cached == "b")
        })
        #expect(try test.stack.fetchOne(From<Label>())?.cached == "b")
    }

    @Test(.pins("SCH-21", "FLD-12")) func `fields belong to the class that declares them`() {
        // The compiler checks that the wrapper is only used in classes: `wrappedValue` is unavailable.
        #expect(String(keyPath: \Person.$kind) == "kind")
        #expect(String(keyPath: \Person.$full) == "full")
        let names = schema.rawModel().storeModel.entities.map { $0.attributes.map(\.name) }
        #expect(names == [["kind"], ["first", "last", "full", "score"]])
    }
}
