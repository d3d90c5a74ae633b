import Coffer
import Foundation
import TestSupport
import Testing

/// Defaults, initial values and accessors of stored fields.
@MainActor
struct StoredFieldTests {
    // These variables record evaluations. Each one belongs to one test, so that parallel tests do not mix their
    // records.
    nonisolated private static let defaults = Guarded(0)
    nonisolated private static let initials = Guarded(0)
    nonisolated private static let order = Guarded<[String]>([])

    nonisolated private static func next(_ counter: Guarded<Int>) -> Int {
        counter.withLock {
            $0 += 1
            return $0
        }
    }

    private class Heron: CoreStoreObject {
        @Field.Stored("rank") var rank: Int = StoredFieldTests.next(StoredFieldTests.defaults)
    }

    private class Stork: CoreStoreObject {
        @Field.Stored("number", dynamicInitialValue: { StoredFieldTests.next(StoredFieldTests.initials) })
        var number: Int
        @Field.Stored("nick", dynamicInitialValue: { "Nick" }) var nick: String?
    }

    private class Base: CoreStoreObject {
        @Field.Stored("base", dynamicInitialValue: { note("base") }) var base: String
    }

    private class Middle: Base {
        @Field.Stored("middle", dynamicInitialValue: { note("middle") }) var middle: String
    }

    private final class Leaf: Middle {
        @Field.Stored("first", dynamicInitialValue: { note("first") }) var first: String
        @Field.Stored("second", dynamicInitialValue: { note("second") }) var second: String
    }

    nonisolated private static func note(_ name: String) -> String {
        order.withLock { $0.append(name) }
        return name
    }

    private class Plain: CoreStoreObject {
        @Field.Stored("title") var title: String = "Mr."
        @Field.Stored("nick") var nick: String?
        @Field.Stored("age") var age: Int? = 7
    }

    @Test(.pins("FLD-02"), arguments: TestBackend.allCases)
    func `a default is evaluated once and is the same for every object`(_ backend: TestBackend) throws {
        let schema = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Heron>("Heron")])
        let value = try #require(schema.rawModel().storeModel.entity(named: "Heron")?.attributes.first?.defaultValue)
        let test = try TestStack(backend, schema)
        let ranks = try test.stack.perform(synchronous: { transaction in
            (0..<3).map { _ in transaction.create(Into<Heron>()).rank }
        })
        #expect(ranks.map { Value.integer(Int64($0)) } == [value, value, value])
        #expect(try test.stack.fetchAll(From<Heron>()).map(\.rank) == ranks)
        #expect(schema.rawModel().storeModel.entity(named: "Heron")?.attributes.first?.defaultValue == value)
    }

    @Test(.pins("FLD-02")) func `a second schema of the same class has the same default`() {
        func value() -> Value? {
            CoreStoreSchema(modelVersion: "V1", entities: [Entity<Heron>("Heron")])
                .rawModel().storeModel.entities[0].attributes[0].defaultValue
        }
        #expect(value() == value())
    }

    @Test(.pins("FLD-03"), arguments: TestBackend.allCases)
    func `a dynamic initial value is evaluated for each created object`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, CoreStoreSchema(modelVersion: "V1", entities: [Entity<Stork>("Stork")]))
        let numbers = try test.stack.perform(synchronous: { transaction in
            (0..<3).map { _ in
                let stork = transaction.create(Into<Stork>())
                return "\(stork.nick ?? "")\(stork.number)"
            }
        })
        #expect(Set(numbers).count == 3)
        let evaluations = Self.initials.withLock { $0 }
        let saved = try test.stack.fetchAll(From<Stork>().orderBy(.ascending(\.$number)))
        #expect(Set(saved.map { "Nick\($0.number)" }) == Set(numbers))
        #expect(saved.allSatisfy { $0.number <= evaluations })
    }

    @Test(.pins("FLD-03"), arguments: TestBackend.allCases)
    func `initial values of superclasses are set first and do not count as changes`(_ backend: TestBackend) throws {
        let schema = CoreStoreSchema(
            modelVersion: "V1", entities: [Entity<Leaf>("Leaf"), Entity<Base>("Base"), Entity<Middle>("Middle")]
        )
        let test = try TestStack(backend, schema)
        let transaction = test.stack.beginUnsafe()
        Self.order.withLock { $0 = [] }
        let leaf = transaction.create(Into<Leaf>())
        #expect(Self.order.withLock { $0 } == ["base", "middle", "first", "second"])
        #expect([leaf.base, leaf.middle, leaf.first, leaf.second] == ["base", "middle", "first", "second"])
        #expect(transaction.updatedObjects(Leaf.self).isEmpty)
        try transaction.commitAndWait()
        Self.order.withLock { $0 = [] }
        let found = try #require(try test.stack.fetchOne(From<Base>()) as? Leaf)
        #expect([found.base, found.middle, found.first, found.second] == ["base", "middle", "first", "second"])
        #expect(Self.order.withLock { $0 } == [])
    }

    @Test(.pins("FLD-03"), arguments: TestBackend.allCases)
    func `an initial value is evaluated once for an object that a child transaction creates`(
        _ backend: TestBackend
    ) throws {
        final class Egret: CoreStoreObject {
            @Field.Stored("token", dynamicInitialValue: { UUID() }) var token: UUID
            @Field.Coded("codes", coder: FieldCoders.Json.self, dynamicInitialValue: { [UUID()] }) var codes: [UUID]
        }
        let test = try TestStack(backend, CoreStoreSchema(modelVersion: "V1", entities: [Entity<Egret>("Egret")]))
        let parent = test.stack.beginUnsafe()
        let child = parent.beginUnsafe()
        let egret = child.create(Into<Egret>())
        let (token, codes) = (egret.token, egret.codes)
        try child.commitAndWait()
        let adopted: Egret = try #require(parent.fetchExisting(egret.objectID()))
        #expect(adopted !== egret)
        #expect(adopted.token == token && adopted.codes == codes)
        try parent.commitAndWait()
        let saved = try #require(try test.stack.fetchOne(From<Egret>()))
        #expect(saved.token == token && saved.codes == codes)
    }

    @Test(.pins("FLD-04"), arguments: TestBackend.allCases)
    func `an optional field is nil unless it has a default`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, CoreStoreSchema(modelVersion: "V1", entities: [Entity<Plain>("Plain")]))
        let inside = try test.stack.perform(synchronous: { transaction in
            let plain = transaction.create(Into<Plain>())
            return "\(plain.title) \(plain.nick as Any) \(plain.age as Any)"
        })
        #expect(inside == "Mr. nil Optional(7)")
        let plain = try #require(try test.stack.fetchOne(From<Plain>()))
        #expect(plain.title == "Mr.")
        #expect(plain.nick == nil)
        #expect(plain.age == 7)
        #expect(try test.stack.fetchCount(From<Plain>().where(\.$nick == nil && \.$age == 7)) == 1)
    }

    @Test(.pins("FLD-06"), arguments: TestBackend.allCases)
    func `setting an equal value marks the object as updated`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, CoreStoreSchema(modelVersion: "V1", entities: [Entity<Plain>("Plain")]))
        try test.stack.perform(synchronous: { _ = $0.create(Into<Plain>()) })
        let plain = try #require(try test.stack.fetchOne(From<Plain>()))
        try test.stack.perform(synchronous: { transaction in
            let edited = try #require(transaction.edit(plain))
            #expect(!transaction.hasChanges)
            edited.title = "Mr."
            #expect(transaction.hasChanges)
            #expect(transaction.updatedObjects(Plain.self) == [edited])
            #expect(!transaction.objectHasPersistentChangedValues(edited))
            edited.title = "Mrs."
            #expect(transaction.objectHasPersistentChangedValues(edited))
        })
        #expect(plain.title == "Mrs.")
    }

    @Test(.pins("FLD-09"), arguments: TestBackend.allCases)
    func `a hash modifier changes the hash, and a former name is stored in the model`(_ backend: TestBackend) throws {
        final class Same: CoreStoreObject {
            @Field.Stored("name") var name: String = ""
        }
        final class Modified: CoreStoreObject {
            @Field.Stored("name", versionHashModifier: "2", previousVersionKeyPath: "oldName") var name: String = ""
        }
        final class Renamed: CoreStoreObject {
            @Field.Stored("name", previousVersionKeyPath: "oldName") var name: String = ""
        }
        let plain = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Same>("Item")]).rawModel().storeModel
        let modified = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Modified>("Item")]).rawModel().storeModel
        let renamed = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Renamed>("Item")]).rawModel().storeModel
        #expect(plain.versionHashes["Item"] != modified.versionHashes["Item"])
        #expect(plain.versionHashes["Item"] == renamed.versionHashes["Item"])
        #expect(modified.entities[0].attributes[0].versionHashModifier == "2")
        #expect(modified.entities[0].attributes[0].renamingIdentifier == "oldName")
        let entity = CoreStoreSchema(
            modelVersion: "V1", entities: [Entity<Same>("Item", versionHashModifier: "3")]
        ).rawModel().storeModel
        #expect(entity.versionHashes["Item"] != plain.versionHashes["Item"])
        _ = try TestStack(backend, CoreStoreSchema(modelVersion: "V1", entities: [Entity<Modified>("Item")]))
    }

    @Test(.pins("FLD-11"), arguments: TestBackend.allCases)
    func `the projected value represents the field in key paths and conditions`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, CoreStoreSchema(modelVersion: "V1", entities: [Entity<Plain>("Plain")]))
        try test.stack.perform(synchronous: { _ = $0.create(Into<Plain>()) })
        let plain = try #require(try test.stack.fetchOne(From<Plain>()))
        // A field of an object is not a handle. A condition with such a field is refused, and finds nothing by
        // mistake.
        let error = #expect(throws: CoreStoreError.self) {
            try test.stack.fetchAll(From<Plain>().where { _ in plain.$title == "Mr." })
        }
        #expect(error?.storageError?.code == .invalidRequest)
        #expect(String(keyPath: \Plain.$title) == "title")
        #expect(try test.stack.fetchOne(From<Plain>().where { $0.$title == "Mr." })?.title == "Mr.")
    }
}
