import Coffer
import CofferStorage
import Foundation
import TestSupport
import Testing

/// The effects of the arguments of a field's declaration, for each kind of field.
@MainActor
struct FieldDeclarationTests {
    private final class Node: CoreStoreObject {
        @Field.Coded("list", coder: FieldCoders.Json.self) var list: [Int] = []
        @Field.Coded("maybe", coder: (encode: { $0 }, decode: { $0 })) var maybe: Data?
        @Field.Stored("number") var number: Int?
        @Field.Relationship("parent") var parent: Node?
        @Field.Relationship("children", inverse: \.$parent) var children: [Node]
        @Field.Relationship("links", inverse: \.$linked) var links: Set<Node>
        @Field.Relationship("linked") var linked: Set<Node>
    }

    private final class Former: CoreStoreObject {
        @Field.Coded("list", previousVersionKeyPath: "a", coder: FieldCoders.Json.self) var list: [Int] = []
        @Field.Coded("maybe", previousVersionKeyPath: "b", coder: (encode: { $0 }, decode: { $0 })) var maybe: Data?
        @Field.Stored("number", previousVersionKeyPath: "c", dynamicInitialValue: { 1 }) var number: Int?
        @Field.Relationship("parent", previousVersionKeyPath: "d") var parent: Former?
        @Field.Relationship("children", inverse: \.$parent, previousVersionKeyPath: "e") var children: [Former]
        @Field.Relationship("links", inverse: \.$linked, previousVersionKeyPath: "f") var links: Set<Former>
        @Field.Relationship("linked", previousVersionKeyPath: "g") var linked: Set<Former>
    }

    private final class Modified: CoreStoreObject {
        @Field.Coded("list", versionHashModifier: "a", coder: FieldCoders.Json.self) var list: [Int] = []
        @Field.Coded("maybe", versionHashModifier: "b", coder: (encode: { $0 }, decode: { $0 })) var maybe: Data?
        @Field.Stored("number", versionHashModifier: "c", dynamicInitialValue: { 1 }) var number: Int?
        @Field.Relationship("parent", versionHashModifier: "d") var parent: Modified?
        @Field.Relationship("children", inverse: \.$parent, versionHashModifier: "e") var children: [Modified]
        @Field.Relationship("links", inverse: \.$linked, versionHashModifier: "f") var links: Set<Modified>
        @Field.Relationship("linked", versionHashModifier: "g") var linked: Set<Modified>
    }

    private func entity<O: CoreStoreObject>(_ type: O.Type) -> EntityDescription {
        CoreStoreSchema(modelVersion: "V1", entities: [Entity<O>("Node")]).rawModel().storeModel.entities[0]
    }

    @Test(.pins("FLD-09")) func `fields of every kind have a hash modifier and a former name`() {
        let (plain, former, modified) = (entity(Node.self), entity(Former.self), entity(Modified.self))
        let letters = ["a", "b", "c", "d", "e", "f", "g"]
        func names(_ entity: EntityDescription) -> [String?] {
            entity.attributes.map(\.renamingIdentifier) + entity.relationships.map(\.renamingIdentifier)
        }
        func modifiers(_ entity: EntityDescription) -> [String?] {
            entity.attributes.map(\.versionHashModifier) + entity.relationships.map(\.versionHashModifier)
        }
        #expect(names(former) == letters && modifiers(modified) == letters)
        #expect(names(plain) == Array(repeating: nil, count: 7))
        #expect(modifiers(plain) == Array(repeating: nil, count: 7))
        func hashes(_ entity: EntityDescription) -> [String: Data] {
            StoreModel(version: "V1", entities: [entity]).versionHashes
        }
        #expect(hashes(plain) == hashes(former))
        for index in letters.indices {
            var one = plain
            if index < 3 {
                one.attributes[index].versionHashModifier = letters[index]
            } else {
                one.relationships[index - 3].versionHashModifier = letters[index]
            }
            #expect(hashes(one) != hashes(plain))
        }
    }

    @available(*, deprecated)
    @Test(.pins("FLD-41")) func `an inverse that both sides declare is refused`() {
        final class Nest: CoreStoreObject {
            let bird: RelationshipContainer<Nest>.ToOne<Bird> = .init("bird", inverse: { $0.nest })
        }
        final class Bird: CoreStoreObject {
            let nest: RelationshipContainer<Bird>.ToOne<Nest> = .init("nest", inverse: { $0.bird })
        }
        let schema = CoreStoreSchema(
            modelVersion: "V1", entities: [Entity<Nest>("NestOfTwo"), Entity<Bird>("BirdOfTwo")])
        let log = RecordingLogger.record("OfTwo") { _ = schema.rawModel() }
        #expect(
            log.assertions == ["'NestOfTwo.bird' and 'BirdOfTwo.nest' both declare 'inverse:'. Keep it on one side."])
    }

    @Test(.pins("SCH-23")) func `an index of a virtual field is refused`() {
        final class Marked: CoreStoreObject {
            @Field.Stored("name") var name: String = ""
            @Field.Virtual("mark") var mark: Int?
        }
        let log = RecordingLogger.record("MarkedEntity") {
            _ = CoreStoreSchema(
                modelVersion: "V1", entities: [Entity<Marked>("MarkedEntity", indexes: [[\.$name, \.$mark]])]
            ).rawModel()
        }
        #expect(log.assertions.count == 1)
        #expect(log.assertions.first?.contains("mark") == true)
    }

    @Test(.pins("SCH-23")) func `several indexes of several fields are in the model`() {
        final class Indexed: CoreStoreObject {
            @Field.Stored("a") var a: Int = 0
            @Field.Stored("b") var b: Int = 0
            @Field.Stored("c") var c: String?
        }
        let schema = CoreStoreSchema(
            modelVersion: "V1", entities: [Entity<Indexed>("Indexed", indexes: [[\.$b, \.$a], [\.$c], [\.$a]])])
        #expect(schema.rawModel().storeModel.entities[0].indexes == [["b", "a"], ["c"], ["a"]])
    }

    @Test(.pins("SCH-20"), arguments: TestBackend.allCases)
    func `names of entities and fields may differ in case only`(_ backend: TestBackend) throws {
        final class Upper: CoreStoreObject {
            @Field.Stored("value") var lower: Int = 1
            @Field.Stored("VALUE") var upper: Int = 2
            @Field.Stored("Value") var title: Int?
            @Field.Relationship("link", inverse: \.$back) var link: Set<Lower>
            @Field.Relationship("LINK", inverse: \.$other) var other: Set<Lower>
        }
        final class Lower: CoreStoreObject {
            @Field.Stored("name") var name: String = ""
            @Field.Relationship("back") var back: Set<Upper>
            @Field.Relationship("BACK") var other: Set<Upper>
        }
        let schema = CoreStoreSchema(
            modelVersion: "V1",
            entities: [
                Entity<Upper>("Thing", indexes: [[\.$lower], [\.$upper]], uniqueConstraints: [[\.$upper]]),
                Entity<Lower>("thing", indexes: [[\.$name]]),
            ])
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { transaction in
            let upper = transaction.create(Into<Upper>())
            (upper.lower, upper.upper, upper.title) = (10, 20, 30)
            for name in ["one", "two", "three"] { transaction.create(Into<Lower>()).name = name }
            let all = try transaction.fetchAll(From<Lower>().orderBy(.ascending(\.$name)))
            upper.link = [all[0]]
            upper.other = [all[1], all[2]]
        })
        let upper = try #require(try test.stack.fetchOne(From<Upper>().where { $0.$lower == 10 && $0.$upper == 20 }))
        #expect(upper.title == 30)
        #expect(try test.stack.fetchCount(From<Upper>()) == 1)
        #expect(try test.stack.fetchCount(From<Lower>()) == 3)
        #expect(upper.link.map(\.name) == ["one"])
        #expect(Set(upper.other.map(\.name)) == ["three", "two"])
        #expect(
            try test.stack.fetchCount(From<Upper>().where(Where("value == 10 AND VALUE == 20 AND Value == 30"))) == 1)
        #expect(try test.stack.fetchCount(From<Upper>().where(Where("value == 20"))) == 0)
    }

    private enum Rank: Int16, ImportableAttributeType, FieldStorableType { case low = -32768, high = 32767 }

    private final class Maybe: CoreStoreObject {
        @Field.Stored("int16") var int16: Int16?
        @Field.Stored("int32") var int32: Int32?
        @Field.Stored("int64") var int64: Int64?
        @Field.Stored("uint8") var uint8: UInt8?
        @Field.Stored("uint16") var uint16: UInt16?
        @Field.Stored("uint32") var uint32: UInt32?
        @Field.Stored("cgfloat") var cgfloat: CGFloat?
        @Field.Stored("rank") var rank: Rank?
        @Field.Stored("string") var string: NSString?
        @Field.Stored("data") var data: NSData?
        @Field.Stored("date") var date: NSDate?
        @Field.Stored("url") var url: NSURL?
    }

    @Test(.pins("FLD-01"), arguments: TestBackend.allCases)
    func `an optional of every other type stores nil and a value`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, CoreStoreSchema(modelVersion: "V1", entities: [Entity<Maybe>("Maybe")]))
        try test.stack.perform(synchronous: { _ = $0.create(Into<Maybe>()) })
        let maybe = try #require(try test.stack.fetchOne(From<Maybe>()))
        let names = [
            "int16", "int32", "int64", "uint8", "uint16", "uint32", "cgfloat", "rank", "string", "data", "date", "url",
        ]
        func nulls() throws -> [String] {
            try names.filter { try test.stack.fetchCount(From<Maybe>().where(Where($0, isEqualTo: nil))) == 1 }
        }
        #expect(try nulls() == names)
        #expect(maybe.int16 == nil && maybe.int32 == nil && maybe.int64 == nil && maybe.uint8 == nil)
        #expect(maybe.uint16 == nil && maybe.uint32 == nil && maybe.cgfloat == nil && maybe.rank == nil)
        #expect(maybe.string == nil && maybe.data == nil && maybe.date == nil && maybe.url == nil)
        let (date, url) = (NSDate(timeIntervalSinceReferenceDate: 1.5), NSURL(string: "a:b"))
        try test.stack.perform(synchronous: { transaction in
            let maybe = try #require(transaction.edit(maybe))
            (maybe.int16, maybe.int32, maybe.int64) = (.min, .min, .min)
            (maybe.uint8, maybe.uint16, maybe.uint32) = (.max, .max, .max)
            (maybe.cgfloat, maybe.rank, maybe.string, maybe.data) = (0.5, .low, "x", NSData(data: Data([1])))
            (maybe.date, maybe.url) = (date, url)
        })
        #expect(try nulls() == [])
        #expect(maybe.int16 == .min && maybe.int32 == .min && maybe.int64 == .min && maybe.uint8 == .max)
        #expect(maybe.uint16 == .max && maybe.uint32 == .max && maybe.cgfloat == 0.5 && maybe.rank == .low)
        #expect(maybe.string == "x" && maybe.data == NSData(data: Data([1])) && maybe.date == date)
        #expect(maybe.url?.absoluteString == "a:b")
        try test.stack.perform(synchronous: { transaction in
            let maybe = try #require(transaction.edit(maybe))
            (maybe.int16, maybe.int32, maybe.int64) = (nil, nil, nil)
            (maybe.uint8, maybe.uint16, maybe.uint32) = (nil, nil, nil)
            (maybe.cgfloat, maybe.rank, maybe.string, maybe.data) = (nil, nil, nil, nil)
            (maybe.date, maybe.url) = (nil, nil)
        })
        #expect(try nulls() == names)
    }

    @Test(.pins("FLD-07"), arguments: TestBackend.allCases)
    func `null in a coded field that is not optional reads as the default`(_ backend: TestBackend) throws {
        final class Strict: CoreStoreObject {
            @Field.Coded("list", coder: FieldCoders.Json.self) var list: [Int] = [7]
            @Field.Coded("made", coder: FieldCoders.Plist.self, dynamicInitialValue: { [8] }) var made: [Int]
            @Field.Coded(
                "pair",
                coder: (encode: { Data($0.utf8) }, decode: { $0.map { String(decoding: $0, as: UTF8.self) } ?? "none" })
            )
            var pair: String = "default"
        }
        let directory = try TestStack.makeDirectory()
        defer { TestStack.remove(directory) }
        // The row of a program in which the fields are optional is written without the stack.
        let strict = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Strict>("Sanderling")])
        let store = try backend.makeStore("damaged", in: directory)
        let layout = try ModelLayout(strict.rawModel().storeModel)
        _ = try store.open(layout)
        let key = try #require(try store.reserveKeys(1, root: 0).first)
        let kinds = layout.entities[0].columns.map(\.kind)
        var changes = ChangeSet()
        let row = Row.make(entity: 0, key: key, version: 1, values: [.null, .null, .null], kinds: kinds)
        changes.inserts = [.init(row: try #require(row))]
        _ = try store.commit(changes)
        store.close()
        let stack = DataStack(strict)
        defer { stack.unsafeRemoveAllPersistentStoresAndWait() }
        try TestStack.add(store, to: stack)
        let object = try #require(try stack.fetchOne(From<Strict>()))
        let log = RecordingLogger.record("Strict.") {
            #expect(object.list == [7])
            #expect(object.made == [8])
            #expect(object.pair == "none")
        }
        #expect(log.errors == ["Reading a coded field failed.", "Reading a coded field failed."])
        try stack.perform(synchronous: { try #require($0.edit(object)).list = [1] })
        #expect(object.list == [1])
    }

    @Test(.pins("FLD-52"), arguments: TestBackend.allCases)
    func `an upper-case UUID string in the store is read, and matches no UUID in a condition`(
        _ backend: TestBackend
    ) throws {
        final class Text: CoreStoreObject {
            @Field.Stored("uuid") var uuid: String = ""
        }
        final class Tagged: CoreStoreObject {
            @Field.Stored("uuid") var uuid: UUID = UUID()
        }
        let text = "ABCDEFAB-CDEF-4BCD-8FAB-CDEFABCDEFAB"
        let reopened = try ReopenedStore(
            backend, CoreStoreSchema(modelVersion: "V1", entities: [Entity<Text>("Tagged")]),
            CoreStoreSchema(modelVersion: "V1", entities: [Entity<Tagged>("Tagged")])
        ) { $0.create(Into<Text>()).uuid = text }
        let uuid = try #require(UUID(uuidString: text))
        let stack = reopened.stack
        #expect(try stack.fetchAll(From<Tagged>()).map(\.uuid) == [uuid])
        #expect(try stack.fetchCount(From<Tagged>().where(\.$uuid == uuid)) == 0)
        #expect(try stack.fetchCount(From<Tagged>().where([uuid] ~= \.$uuid)) == 0)
        // After it is written again, the UUID is in lower case.
        try stack.perform(synchronous: { try $0.fetchOne(From<Tagged>())?.uuid = uuid })
        #expect(try stack.fetchCount(From<Tagged>().where(\.$uuid == uuid)) == 1)
    }

    @Test(.pins("FLD-50")) func `an invalid native value in a stored field stops the program`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = UUID.cs_fromFieldStoredNativeType("no uuid")
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("'no uuid' is not a value of 'UUID'."))
    }
}
