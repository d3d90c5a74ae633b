import Coffer
import Foundation
import TestSupport
import Testing

/// Values that bypass their accessors, and proxies of fields.
@MainActor
struct PartialObjectTests {
    private class Base: CoreStoreObject {
        @Field.Stored("kind") var kind: String = "base"
        @Field.Coded("list", coder: FieldCoders.Json.self) var list: [Int] = [1]
        @Field.Virtual("memo") var memo: String?
    }

    private final class Item: Base {
        @Field.Stored(
            "name", customGetter: { _, field in (field.primitiveValue ?? "none").uppercased() },
            customSetter: { _, field, newValue in field.primitiveValue = newValue.lowercased() }
        )
        var name: String = "item"

        @Field.Coded(
            "codes", coder: FieldCoders.Json.self,
            customGetter: { _, field in (field.primitiveValue ?? []) + [0] }
        )
        var codes: [Int] = []

        @Field.Stored("size") var size: Int?
        @Field.Virtual("twice", customGetter: { object, _ in 2 * (object.$size.value ?? 0) }) var twice: Int

        @Field.Virtual(
            "all",
            customGetter: { object, _ in
                // Fields of the superclass, of every kind.
                object.$kind.value += "!"
                object.$list.value.append(2)
                object.$memo.value = "seen"
                object.$size.primitiveValue = 4
                object.$name.value = "NEW"
                return [
                    object.$kind.value, object.$kind.primitiveValue ?? "", "\(object.$list.value)",
                    "\(object.$list.primitiveValue ?? [])", object.$memo.value ?? "", object.$name.value,
                    object.$name.primitiveValue ?? "", "\(object.$codes.value)", "\(object.$twice.value)",
                    "\(String(describing: object.$twice.primitiveValue))",
                ]
            }
        )
        var all: [String]
    }

    private let schema = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Base>("Base"), Entity<Item>("Item")])

    @Test(.pins("FLD-60"), arguments: TestBackend.allCases)
    func `object proxies give access to fields of every kind`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { transaction in
            let item = transaction.create(Into<Item>())
            #expect(
                item.all == ["base!", "base!", "[1, 2]", "[1, 2]", "seen", "NEW", "new", "[0]", "8", "nil"]
            )
        })
        let item = try #require(try test.stack.fetchOne(From<Item>()))
        #expect(item.kind == "base!")
        #expect(item.list == [1, 2])
        #expect(item.size == 4)
        #expect(item.memo == nil)
    }

    @Test(.pins("FLD-60"), arguments: TestBackend.allCases)
    func `a primitive value of nil is stored as null`(_ backend: TestBackend) throws {
        final class Cell: CoreStoreObject {
            @Field.Stored("number", customSetter: { _, field, _ in field.primitiveValue = nil }) var number: Int? = 1
            @Field.Coded(
                "list", coder: FieldCoders.Json.self,
                customGetter: { _, field in field.primitiveValue ?? [-1] },
                customSetter: { _, field, _ in field.primitiveValue = nil }
            )
            var list: [Int]? = [1]
        }
        let test = try TestStack(backend, CoreStoreSchema(modelVersion: "V1", entities: [Entity<Cell>("Cell")]))
        try test.stack.perform(synchronous: { transaction in
            let cell = transaction.create(Into<Cell>())
            #expect(cell.list == [1])
            cell.number = 5
            cell.list = [5]
        })
        let cell = try #require(try test.stack.fetchOne(From<Cell>()))
        #expect(cell.number == nil)
        #expect(cell.list == [-1])
        #expect(try test.stack.fetchCount(From<Cell>().where(Where(\.$list, isEqualTo: nil))) == 1)
    }

    @Test(.pins("FLD-70"), arguments: TestBackend.allCases)
    func `partial objects read and write primitive values without accessors`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { transaction in
            let item = transaction.create(Into<Item>())
            let partial = item.partialObject()
            #expect(partial.value(for: { $0.$name }) == "ITEM")
            #expect(partial.primitiveValue(for: { $0.$name }) == "item")
            partial.setPrimitiveValue("Mixed Case", for: { $0.$name })
            #expect(partial.primitiveValue(for: { $0.$name }) == "Mixed Case")
            #expect(item.name == "MIXED CASE")
            partial.setPrimitiveValue(3, for: { $0.$size })
            #expect(partial.value(for: { $0.$twice }) == 6)
            #expect(partial.primitiveValue(for: { $0.$twice }) == nil)
            partial.setPrimitiveValue(1, for: { $0.$twice })
            #expect(partial.primitiveValue(for: { $0.$twice }) == 1)
            #expect(partial.primitiveValue(for: { $0.$codes }) == [])
            #expect(item.codes == [0])
        })
        let item = try #require(try test.stack.fetchOne(From<Item>()))
        #expect(item.size == 3)
        #expect(item.partialObject().primitiveValue(for: { $0.$name }) == "Mixed Case")
    }

    @Test(.pins("SCH-09"), arguments: TestBackend.allCases)
    func `a partial object returns its complete object`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { _ = $0.create(Into<Item>()) })
        let item = try #require(try test.stack.fetchOne(From<Item>()))
        #expect(item.partialObject().completeObject() === item)
        let base: Base = item
        #expect(base.partialObject().primitiveValue(for: { $0.$kind }) == "base")
    }
}
