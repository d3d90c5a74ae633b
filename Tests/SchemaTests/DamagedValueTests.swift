import Coffer
import CofferInMemory
import CofferSQLite
import CofferStorage
import Foundation
import TestSupport
import Testing

/// Rows with values that a field cannot have.
@MainActor
struct DamagedValueTests {
    private enum Mood: String, ImportableAttributeType, FieldStorableType {
        case calm, angry
    }

    private enum Level: Int, ImportableAttributeType, FieldStorableType {
        case low = 1
        case high = 2
    }

    /// An enumeration that declares its type and has the default conversions.
    private enum Typed: String, FieldStorableType {
        case calm, angry
        static var cs_rawAttributeType: AttributeType { .stringAttributeType }
    }

    /// An enumeration like `Typed` that clauses may also use.
    private enum Ranked: Int, ImportableAttributeType, FieldStorableType {
        case low = 1
        case high = 2
        static var cs_rawAttributeType: AttributeType { .integer64AttributeType }
    }

    /// A custom type that does not have a value for every native value.
    private struct Code: ImportableAttributeType, FieldStorableType {
        let letters: Int
        typealias QueryableNativeType = NSString
        typealias FieldStoredNativeType = NSString
        static var cs_rawAttributeType: AttributeType { .stringAttributeType }
        static func cs_fromQueryableNativeType(_ value: NSString) -> Code? {
            Int(String(describing: value)).map(Code.init)
        }
        func cs_toQueryableNativeType() -> NSString { NSString(string: "\(letters)") }
    }

    private final class Heron: CoreStoreObject {
        @Field.Stored("typed") var typed: Typed = .angry
        @Field.Stored("lastTyped") var lastTyped: Typed?
        @Field.Stored("ranked") var ranked: Ranked = .high
        @Field.Stored("code") var code: Code = Code(letters: 7)
        @Field.Stored("number") var number: NSUUID?
        @Field.Stored("name") var name: String = ""
    }

    /// The strict class, with which tests read the rows.
    private final class Gull: CoreStoreObject {
        @Field.Stored("name") var name: String = "nobody"
        @Field.Stored("age") var age: Int = 7
        @Field.Stored("mood") var mood: Mood = .calm
        @Field.Stored("lastMood") var lastMood: Mood?
        @Field.Stored("level", dynamicInitialValue: { .high }) var level: Level
        @Field.Stored("small") var small: Int8 = 5
        @Field.Stored("link") var link: URL = URL(filePath: "/")
        @Field.Stored("uuid") var uuid: UUID?
    }

    private let schema = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Gull>("Gull")])

    /// Returns a stack whose store has one row that was written without the stack.
    private func stack(
        _ backend: TestBackend, _ values: [Value], in directory: URL, _ schema: CoreStoreSchema? = nil
    ) throws -> DataStack {
        let schema = schema ?? self.schema
        let store = try backend.makeStore("damaged", in: directory)
        let layout = try ModelLayout(schema.rawModel().storeModel)
        _ = try store.open(layout)
        let key = try #require(try store.reserveKeys(1, root: 0).first)
        let kinds = layout.entities[0].columns.map(\.kind)
        let row = try #require(Row.make(entity: 0, key: key, version: 1, values: values, kinds: kinds))
        var changes = ChangeSet()
        changes.inserts = [.init(row: row)]
        _ = try store.commit(changes)
        store.close()
        let stack = DataStack(schema)
        try TestStack.add(store, to: stack)
        return stack
    }

    private let sound: [Value] = [
        .text("Ann"), .integer(1), .text("angry"), .text("angry"), .integer(1), .integer(1), .text("x:y"), .null,
    ]

    @Test(.pins("FLD-07"), arguments: TestBackend.allCases)
    func `null in a field that is not optional reads as the default`(_ backend: TestBackend) throws {
        let directory = try TestStack.makeDirectory()
        defer { try? FileManager.default.removeItem(at: directory) }
        var values = sound
        for slot in [0, 1, 2, 5] { values[slot] = .null }
        let stack = try stack(backend, values, in: directory)
        let gull = try #require(try stack.fetchOne(From<Gull>()))
        let log = RecordingLogger.record("Gull.") {
            #expect(gull.name == "nobody")
            #expect(gull.age == 7)
            #expect(gull.mood == .calm)
            #expect(gull.small == 5)
        }
        let id = gull.objectID()
        #expect(
            log.entries == [
                .message(.warning, "'Gull.name' of \(id) has no value of type 'String'. Its default was used."),
                .message(.warning, "'Gull.age' of \(id) has no value of type 'Int'. Its default was used."),
                .message(.warning, "'Gull.mood' of \(id) has no value of type 'Mood'. Its default was used."),
                .message(.warning, "'Gull.small' of \(id) has no value of type 'Int8'. Its default was used."),
            ]
        )
        // The row can be repaired, and other fields stay as they are.
        try stack.perform(synchronous: { try #require($0.edit(gull)).name = "Ann" })
        #expect(gull.name == "Ann")
        #expect(try stack.fetchCount(From<Gull>().where(Where("age", isEqualTo: nil))) == 1)
    }

    @Test(.pins("FLD-08"), arguments: TestBackend.allCases)
    func `an unknown raw value reads as the default`(_ backend: TestBackend) throws {
        let directory = try TestStack.makeDirectory()
        defer { try? FileManager.default.removeItem(at: directory) }
        var values = sound
        values[2] = .text("furious")
        values[3] = .text("furious")
        values[4] = .integer(9)
        values[5] = .integer(1000)
        values[7] = .text("no uuid")
        let stack = try stack(backend, values, in: directory)
        let gull = try #require(try stack.fetchOne(From<Gull>()))
        let log = RecordingLogger.record("Gull.") {
            #expect(gull.mood == .calm)
            #expect(gull.lastMood == nil)
            #expect(gull.level == .high)
            #expect(gull.small == 5)
            #expect(gull.uuid == nil)
            #expect(gull.name == "Ann")
        }
        #expect(
            log.messages(.warning) == [
                "'Gull.mood' of \(gull.objectID()) has no value of type 'Mood'. Its default was used.",
                "'Gull.lastMood' of \(gull.objectID()) has no value of type 'Optional<Mood>'. Its default was used.",
                "'Gull.level' of \(gull.objectID()) has no value of type 'Level'. Its default was used.",
                "'Gull.small' of \(gull.objectID()) has no value of type 'Int8'. Its default was used.",
                "'Gull.uuid' of \(gull.objectID()) has no value of type 'Optional<UUID>'. Its default was used.",
            ]
        )
        let snapshot = try #require(gull.asSnapshot(in: stack))
        let snapshotLog = RecordingLogger.record("Gull.") {
            #expect(snapshot.$mood == .calm && snapshot.$lastMood == nil && snapshot.$level == .high)
            #expect(snapshot.$small == 5 && snapshot.$uuid == nil && snapshot.$name == "Ann")
        }
        #expect(snapshotLog.messages(.warning) == log.messages(.warning))
        let dictionaryLog = RecordingLogger.record("Gull.") {
            #expect(Set(snapshot.dictionaryForValues().keys) == ["name", "age", "link"])
        }
        #expect(
            dictionaryLog.messages(.warning)
                == ["mood", "lastMood", "level", "small", "uuid"].map {
                    "'Gull.\($0)' of \(gull.objectID()) cannot be read. The dictionary does not contain it."
                })
        // A query has no value of the type for this row either.
        #expect(try stack.queryValue(From<Gull>().select(Mood.self, .attribute(\.$mood))) == nil)
        #expect(try stack.queryValue(From<Gull>().select(String.self, .attribute(\.$mood))) == "furious")
        try stack.perform(synchronous: { try #require($0.edit(gull)).mood = .angry })
        #expect(gull.mood == .angry)
    }

    @Test(.pins("FLD-08"), arguments: TestBackend.allCases)
    func `an unknown value of a type with default conversions reads as the default`(
        _ backend: TestBackend
    ) throws {
        let directory = try TestStack.makeDirectory()
        defer { try? FileManager.default.removeItem(at: directory) }
        let schema = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Heron>("Heron")])
        let values: [Value] = [
            .text("furious"), .text("furious"), .integer(9), .text("many"), .text("no uuid"), .text("Ann"),
        ]
        let stack = try stack(backend, values, in: directory, schema)
        let heron = try #require(try stack.fetchOne(From<Heron>()))
        let log = RecordingLogger.record("Heron.") {
            #expect(heron.typed == .angry && heron.lastTyped == nil && heron.ranked == .high)
            #expect(heron.code == Code(letters: 7) && heron.number == nil && heron.name == "Ann")
        }
        #expect(
            log.messages(.warning) == [
                "'Heron.typed' of \(heron.objectID()) has no value of type 'Typed'. Its default was used.",
                "'Heron.lastTyped' of \(heron.objectID()) has no value of type "
                    + "'Optional<Typed>'. Its default was used.",
                "'Heron.ranked' of \(heron.objectID()) has no value of type 'Ranked'. Its default was used.",
                "'Heron.code' of \(heron.objectID()) has no value of type 'Code'. Its default was used.",
                "'Heron.number' of \(heron.objectID()) has no value of type 'Optional<NSUUID>'. Its default was used.",
            ])
        try stack.perform(synchronous: { transaction in
            let edited = try #require(transaction.edit(heron))
            (edited.typed, edited.lastTyped, edited.ranked) = (.calm, .angry, .low)
            edited.code = Code(letters: 3)
        })
        #expect(heron.typed == .calm && heron.lastTyped == .angry && heron.ranked == .low)
        #expect(heron.code == Code(letters: 3))
    }

    @Test(.pins("FLD-07", "FLD-08"), arguments: TestBackend.allCases)
    func `publishers, snapshots and getters do not trap on an invalid stored value`(
        _ backend: TestBackend
    ) throws {
        let directory = try TestStack.makeDirectory()
        defer { TestStack.remove(directory) }
        var values = sound
        (values[0], values[1], values[2], values[4], values[7]) = (
            .null, .null, .text("furious"), .integer(9), .text("no uuid")
        )
        let stack = try stack(backend, values, in: directory)
        defer { stack.unsafeRemoveAllPersistentStoresAndWait() }
        let gull = try #require(try stack.fetchOne(From<Gull>()))
        try RecordingLogger.record("Gull.") {
            let publisher = gull.asPublisher(in: stack)
            let (name, mood, level): (String?, Mood?, Level?) = (publisher.$name, publisher.$mood, publisher.$level)
            #expect(name == "nobody")
            #expect(mood == .calm)
            #expect(level == .high)
            let snapshot = try #require(publisher.snapshot)
            let (frozenName, frozenMood, frozenLevel) = (snapshot.$name, snapshot.$mood, snapshot.$level)
            #expect(frozenName == "nobody")
            #expect(frozenMood == .calm)
            #expect(frozenLevel == .high)
            let partial = gull.partialObject()
            #expect(partial.value(for: { $0.$name }) == "nobody")
            #expect(partial.primitiveValue(for: { $0.$mood }) == Mood.calm)
        }
    }

    @Test(.pins("FLD-07"), arguments: TestBackend.allCases)
    func `fields of every kind of a deleted object can be read`(_ backend: TestBackend) throws {
        final class Fulmar: CoreStoreObject {
            @Field.Stored("name") var name: String = "none"
            @Field.Coded("list", coder: FieldCoders.Json.self) var list: [Int] = []
            @Field.Virtual("loud", customGetter: { object, _ in object.$name.value.uppercased() }) var loud: String
            @Field.Relationship("mate", inverse: \.$mateOf) var mate: Fulmar?
            @Field.Relationship("mateOf") var mateOf: Fulmar?
            @Field.Relationship("chicks", inverse: \.$parent) var chicks: Set<Fulmar>
            @Field.Relationship("parent") var parent: Fulmar?
        }
        let test = try TestStack(backend, CoreStoreSchema(modelVersion: "V1", entities: [Entity<Fulmar>("Fulmar")]))
        func check(_ fulmar: Fulmar, location: SourceLocation = #_sourceLocation) {
            #expect(fulmar.isDeleted && fulmar.name == "Ann", sourceLocation: location)
            #expect(fulmar.list == [1] && fulmar.loud == "ANN", sourceLocation: location)
            // The related objects of a deleted object may be read, and are not deleted.
            #expect(fulmar.mate?.isDeleted != true && fulmar.mateOf?.isDeleted != true, sourceLocation: location)
            #expect(fulmar.parent?.isDeleted != true, sourceLocation: location)
            #expect(fulmar.chicks.allSatisfy { !$0.isDeleted }, sourceLocation: location)
        }
        try test.stack.perform(synchronous: { transaction in
            let (ann, bob) = (transaction.create(Into<Fulmar>()), transaction.create(Into<Fulmar>()))
            (ann.name, ann.list, ann.mate, ann.chicks) = ("Ann", [1], bob, [bob])
            ann.parent = transaction.create(Into<Fulmar>())
        })
        let ann = try #require(try test.stack.fetchOne(From<Fulmar>().where(\.$name == "Ann")))
        try test.stack.perform(synchronous: { transaction in
            let own = try #require(transaction.edit(ann))
            transaction.delete(own)
            check(own)
        })
        check(ann)
        #expect(try test.stack.fetchCount(From<Fulmar>()) == 2)
        // A new object that is never saved.
        let transaction = test.stack.beginUnsafe()
        let new = transaction.create(Into<Fulmar>())
        (new.name, new.list) = ("Ann", [1])
        transaction.delete(new)
        check(new)
        try transaction.commitAndWait()
        check(new)
    }

    @Test(.pins("FLD-07"), arguments: TestBackend.allCases)
    func `a deleted object keeps its last values`(_ backend: TestBackend) throws {
        let directory = try TestStack.makeDirectory()
        defer { try? FileManager.default.removeItem(at: directory) }
        let stack = try stack(backend, sound, in: directory)
        let gull = try #require(try stack.fetchOne(From<Gull>()))
        try stack.perform(synchronous: { $0.delete(gull) })
        #expect(gull.isDeleted)
        #expect(gull.name == "Ann")
        #expect(gull.mood == .angry)
    }

    @Test(.pins("FLD-07"), arguments: TestBackend.allCases)
    func `null set by a custom setter is refused when saving`(_ backend: TestBackend) throws {
        final class Tern: CoreStoreObject {
            @Field.Stored("name", customSetter: { _, field, _ in field.primitiveValue = nil }) var name: String = "x"
        }
        let test = try TestStack(backend, CoreStoreSchema(modelVersion: "V1", entities: [Entity<Tern>("Tern")]))
        let error = #expect(throws: CoreStoreError.self) {
            try test.stack.perform(synchronous: { $0.create(Into<Tern>()).name = "y" })
        }
        #expect(
            error?.storageError?.message
                == "'Tern.name' has no value, but is not optional. Set a value, or use an optional field."
        )
        #expect(try test.stack.fetchCount(From<Tern>()) == 0)
    }
}
