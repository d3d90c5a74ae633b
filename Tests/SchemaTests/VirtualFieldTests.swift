import Coffer
import Foundation
import TestSupport
import Testing

/// Virtual fields: values of objects that are not stored.
@MainActor
struct VirtualFieldTests {
    private struct Point: Equatable {
        var x = 0
        var y = 0
    }

    private class Shape: CoreStoreObject {
        @Field.Stored("name") var name: String = "shape"
        @Field.Virtual("origin", customGetter: { _, field in field.primitiveValue ?? Point() }) var origin: Point
        @Field.Virtual("label") var label: String?
    }

    private final class Circle: Shape {
        @Field.Stored("radius", customSetter: Circle.setRadius(_:_:_:)) var radius: Int = 1
        @Field.Virtual("area", customGetter: Circle.area(_:_:), affectedByKeyPaths: ["radius"]) var area: Int
        @Field.Virtual("computed", customGetter: { _, field in field.primitiveValue ?? 0 }) var computed: Int

        @Field.Virtual(
            "shout", customGetter: { object, _ in object.$name.value.uppercased() },
            customSetter: { object, _, newValue in object.$name.value = newValue.lowercased() }
        )
        var shout: String

        @Field.Relationship("inside") var inside: Circle?
        @Field.Relationship("holds", inverse: \.$inside) var holds: Set<Circle>

        private static func setRadius(
            _ object: ObjectProxy<Circle>, _ field: ObjectProxy<Circle>.FieldProxy<Int>, _ newValue: Int
        ) {
            field.primitiveValue = newValue
            object.$area.primitiveValue = nil
        }

        private static func area(_ object: ObjectProxy<Circle>, _ field: ObjectProxy<Circle>.FieldProxy<Int>) -> Int {
            if let known = field.primitiveValue { return known }
            object.$computed.primitiveValue = (object.$computed.primitiveValue ?? 0) + 1
            let made = 3 * object.$radius.value * object.$radius.value
            field.primitiveValue = made
            return made
        }
    }

    private let schema = CoreStoreSchema(
        modelVersion: "V1", entities: [Entity<Shape>("Shape"), Entity<Circle>("Circle")]
    )

    @Test(.pins("FLD-20"), arguments: TestBackend.allCases)
    func `virtual values belong to one object in one context`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { transaction in
            let circle = transaction.create(Into<Circle>())
            #expect(circle.origin == Point())
            circle.origin = Point(x: 1, y: 2)
            circle.origin.x += 4
            circle.label = "mine"
            #expect(circle.origin == Point(x: 5, y: 2))
            #expect(circle.label == "mine")
        })
        let circle = try #require(try test.stack.fetchOne(From<Circle>()))
        #expect(circle.origin == Point())
        #expect(circle.label == nil)
        try test.stack.perform(synchronous: { transaction in
            let edited = try #require(transaction.edit(circle))
            #expect(edited.origin == Point())
            edited.label = "again"
            edited.refreshAsFault()
            #expect(edited.label == nil)
        })
        // Virtual fields have no column, and are not part of the version hash.
        #expect(schema.rawModel().storeModel.entities.map { $0.attributes.map(\.name) } == [["name"], ["radius"]])
    }

    @Test(.pins("FLD-20"), arguments: TestBackend.allCases)
    func `a child transaction has its own virtual values`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { _ = $0.create(Into<Circle>()) })
        let parent = test.stack.beginUnsafe()
        let circle = try #require(try parent.fetchOne(From<Circle>()))
        circle.label = "parent"
        circle.origin.x = 1
        let child = parent.beginUnsafe()
        let own = try #require(child.edit(circle))
        #expect(own.label == nil && own.origin == Point())
        own.label = "child"
        own.name = "changed"
        let new = child.create(Into<Circle>())
        new.label = "new"
        try child.commitAndWait()
        #expect(circle.name == "changed")
        #expect(circle.label == "parent" && circle.origin == Point(x: 1))
        let adopted: Circle = try #require(parent.fetchExisting(new.objectID()))
        #expect(adopted.label == nil)
        #expect(own.label == "child" && new.label == "new")
    }

    @Test(.pins("FLD-10", "FLD-22"), arguments: TestBackend.allCases)
    func `a getter keeps its value in a transaction when a field that affects it is set`(
        _ backend: TestBackend
    ) throws {
        final class Label: CoreStoreObject {
            @Field.Stored("text") var text: String = "a"
            @Field.Virtual(
                "memo",
                customGetter: { object, field in
                    if let known = field.primitiveValue { return known }
                    let made = "memo of \(object.$text.value)"
                    field.primitiveValue = made
                    return made
                },
                affectedByKeyPaths: ["text"]
            )
            var memo: String
        }
        let test = try TestStack(backend, CoreStoreSchema(modelVersion: "V1", entities: [Entity<Label>("Label")]))
        let transaction = test.stack.beginUnsafe()
        let label = transaction.create(Into<Label>())
        #expect(label.memo == "memo of a")
        label.text = "b"
        #expect(label.memo == "memo of a")
        try transaction.commitAndWait()
        #expect(label.memo == "memo of a")
        #expect(try test.stack.fetchOne(From<Label>())?.memo == "memo of b")
        label.refreshAsFault()
        #expect(label.memo == "memo of b")
    }

    @Test(.pins("FLD-21", "FLD-24"), arguments: TestBackend.allCases)
    func `a snapshot has nil for an optional field that was never set`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { transaction in
            let circle = transaction.create(Into<Circle>())
            let unset = try #require(circle.asSnapshot(in: transaction))
            #expect(unset.$label == nil)
            circle.label = "set"
            let set = try #require(circle.asSnapshot(in: transaction))
            circle.label = nil
            #expect(set.$label == "set")
            let cleared = try #require(circle.asSnapshot(in: transaction))
            #expect(cleared.$label == nil)
        })
        let snapshot = try #require(try test.stack.fetchOne(From<Circle>())?.asSnapshot(in: test.stack))
        #expect(snapshot.$label == nil && snapshot.$area == 3 && snapshot.$origin == Point())
        #expect(snapshot.dictionaryForValues()["label"] == nil)
    }

    @Test(.pins("FLD-21"), arguments: TestBackend.allCases)
    func `an optional field needs no getter`(_ backend: TestBackend) throws {
        final class Note: CoreStoreObject {
            @Field.Virtual("plain") var plain: Int?
            @Field.Virtual("got", customGetter: { _, field in (field.primitiveValue ?? 1) ?? 2 }) var got: Int?
        }
        let test = try TestStack(backend, CoreStoreSchema(modelVersion: "V1", entities: [Entity<Note>("Note")]))
        try test.stack.perform(synchronous: { transaction in
            let note = transaction.create(Into<Note>())
            #expect(note.plain == nil)
            #expect(note.got == 1)
            note.plain = 3
            note.got = 4
            #expect(note.plain == 3)
            #expect(note.got == 4)
            note.plain = nil
            note.got = nil
            #expect(note.plain == nil)
            #expect(note.got == 2)
        })
    }

    @Test(.pins("FLD-22"), arguments: TestBackend.allCases)
    func `a getter keeps its computed value until the program or a commit discards the value`(
        _ backend: TestBackend
    ) throws {
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { transaction in
            let circle = transaction.create(Into<Circle>())
            #expect(circle.area == 3)
            #expect(circle.area == 3)
            #expect(circle.computed == 1)
            circle.radius = 2
            #expect(circle.area == 12)
            #expect(circle.computed == 2)
        })
        let circle = try #require(try test.stack.fetchOne(From<Circle>()))
        #expect(circle.area == 12)
        #expect(circle.area == 12)
        #expect(circle.computed == 1)
        try test.stack.perform(synchronous: { try #require($0.edit(circle)).radius = 3 })
        #expect(circle.radius == 3)
        #expect(circle.area == 27)
        #expect(circle.area == 27)
        #expect(circle.computed == 1)
        circle.refreshAsFault()
        #expect(circle.area == 27)
        #expect(circle.computed == 1)
    }

    @Test(.pins("FLD-23"), arguments: TestBackend.allCases)
    func `setting a primitive value calls no observer`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { $0.create(Into<Circle>()).name = "one" })
        let circle = try #require(try test.stack.fetchOne(From<Circle>()))
        try test.stack.perform(synchronous: { transaction in
            let edited = try #require(transaction.edit(circle))
            // The getter sets a primitive value.
            #expect(edited.area == 3)
            #expect(edited.computed == 1)
            #expect(transaction.updatedObjects(Circle.self).isEmpty)
            edited.label = "set"
            #expect(transaction.updatedObjects(Circle.self) == [edited])
        })
        // A custom setter determines the written value.
        try test.stack.perform(synchronous: { transaction in
            try #require(transaction.edit(circle)).shout = "TWO"
        })
        #expect(circle.name == "two")
        #expect(circle.shout == "TWO")
        // Outside a transaction a getter may still keep its value, but nothing may be set.
        let log = RecordingLogger.record("'Circle' cannot be changed") { circle.label = "refused" }
        #expect(log.assertions.count == 1)
        #expect(circle.label == nil)
    }

    @Test(.pins("FLD-25"), arguments: TestBackend.allCases)
    func `clauses refuse virtual fields`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        func message(_ body: () throws -> Void) -> String? {
            #expect(throws: CoreStoreError.self) { try body() }?.storageError?.message
        }
        let stack = test.stack
        let others = " Other fields are 'name', 'radius', 'holds', 'inside'."
        let refusal = "'Circle.label' is a virtual field, which is not stored." + others
        func refuses(_ clauses: any FetchClause...) -> Bool {
            message { _ = try stack.fetchAll(From<Circle>(), clauses) } == refusal
        }
        #expect(refuses(Where<Circle>("label", isEqualTo: "a")))
        #expect(refuses(Where<Circle>("label", isEqualTo: nil)))
        #expect(refuses(OrderBy<Circle>(.ascending { $0.$label })))
        #expect(refuses(Where<Circle>("name == 'x' OR ANY holds.label BEGINSWITH %@", "a")))
        #expect(refuses(Where<Circle>("SUBQUERY(holds, $it, $it.label == 'a').@count > 0")))
        #expect(refuses(Where<Circle>("uppercase(label) == 'A'")))
        #expect(refuses(Where<Circle>("radius IN { 1, holds.@max.label }")))
        #expect(
            message { _ = try stack.fetchCount(From<Circle>().where(!Where<Circle>("inside.label", isEqualTo: 1))) }
                == refusal
        )
        #expect(
            message { _ = try stack.queryValue(From<Circle>().select(String.self, .attribute(\.$label))) }
                == refusal
        )
        #expect(
            message {
                _ = try stack.queryAttributes(
                    From<Circle>().select(NSDictionary.self, .count(\.$name)).groupBy(\.$label)
                )
            } == refusal
        )
        #expect(
            message { _ = try stack.queryValue(From<Circle>().select(Int.self, .maximum(\.$area))) }
                == "'Circle.area' is a virtual field, which is not stored."
                + others
        )
        try stack.perform(synchronous: { transaction in
            let error = message { try transaction.deleteAll(From<Circle>().where(Where("label", isEqualTo: nil))) }
            #expect(error == refusal)
        })
    }

    @Test(.pins("FLD-25"), arguments: TestBackend.allCases)
    func `observed lists refuse virtual fields except in sections`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { transaction in
            transaction.create(Into<Circle>()).radius = 2
            transaction.create(Into<Circle>()).radius = 1
        })
        let list = test.stack.publishList(From<Circle>().orderBy(.ascending(\.$radius)))
        let condition: Where<Circle> = Where("label", isEqualTo: "a")
        let error = #expect(throws: CoreStoreError.self) {
            try list.refetch(From<Circle>().where(condition).orderBy(.ascending(\.$radius)))
        }
        #expect(
            error?.storageError?.message
                == "'Circle.label' is a virtual field, which is not stored. Other fields are "
                + "'name', 'radius', 'holds', 'inside'.")
        #expect(list.snapshot.numberOfItems == 2)
        let log = RecordingLogger.record("'Circle.label' is a virtual field") {
            let empty = test.stack.publishList(From<Circle>().where(condition).orderBy(.ascending(\.$radius)))
            #expect(empty.snapshot.numberOfItems == 0)
        }
        #expect(log.errors == ["The list could not be fetched. It is empty until it is fetched again."])
        let sections = test.stack.publishList(From<Circle>().sectionBy(\.$area).orderBy(.ascending(\.$radius)))
        #expect(sections.snapshot.sectionIDs == ["3", "12"])
    }

    @Test(.pins("FLD-25")) func `the error for a virtual field suggests the nearest key`() throws {
        final class Page: CoreStoreObject {
            @Field.Stored("title") var title: String = ""
            @Field.Virtual("titles") var titles: [String]?
        }
        let test = try TestStack(
            .memory, CoreStoreSchema(modelVersion: "V1", entities: [Entity<Page>("Page")])
        )
        let error = #expect(throws: CoreStoreError.self) {
            try test.stack.fetchAll(From<Page>().orderBy(.ascending { $0.$titles }))
        }
        #expect(
            error?.storageError?.message
                == "'Page.titles' is a virtual field, which is not stored. Did you mean 'title'?"
        )
    }
}
