import Coffer
import Foundation
import TestSupport
import Testing

/// Coded fields: their stored bytes, their values, and the clauses that may use them.
@MainActor
struct CodedFieldTests {
    private struct Colour: Codable, Hashable {
        var red: Double
        var name: String?
        var tags: [String: Int] = [:]
    }

    private enum Lines: FieldCoderType {
        static func encodeToStoredData(_ fieldValue: [String]?) -> Data? {
            guard let fieldValue, !fieldValue.contains("") else { return nil }
            return Data(fieldValue.joined(separator: "\n").utf8)
        }

        static func decodeFromStoredData(_ data: Data?) -> [String]? {
            data.map { String(decoding: $0, as: UTF8.self).components(separatedBy: "\n") }
        }
    }

    private final class Kite: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
        @Field.Coded("json", coder: FieldCoders.Json.self) var json: Colour = .init(red: 0.5)
        @Field.Coded("plist", coder: FieldCoders.Plist.self) var plist: [Int] = [1, 2]
        @Field.Coded("archive", coder: FieldCoders.NSCoding.self) var archive: NSArray = ["a"]
        @Field.Coded("lines", coder: Lines.self) var lines: [String] = ["x", "y"]
        @Field.Coded("maybe", coder: FieldCoders.Json.self) var maybe: Colour?
        @Field.Coded("maybeLines", coder: Lines.self) var maybeLines: [String]? = ["default"]
        @Field.Coded(
            "closures",
            coder: (
                encode: { $0 == 0 ? nil : Data("\($0)".utf8) },
                decode: { $0.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? -1 }
            )
        ) var closures: Int = 7
        @Field.Coded(
            "maybeClosures",
            coder: (
                encode: { $0.map { Data($0.utf8) } }, decode: { $0.map { String(decoding: $0, as: UTF8.self) } }
            )
        ) var maybeClosures: String?
        @Field.Coded("born", coder: FieldCoders.Json.self, dynamicInitialValue: { UUID() }) var born: UUID
        @Field.Coded("maybeBorn", coder: FieldCoders.Plist.self, dynamicInitialValue: { [UUID()] }) var maybeBorn:
            [UUID]?
    }

    private let schema = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Kite>("Kite")])

    @Test(.pins("FLD-30"), arguments: TestBackend.allCases)
    func `values of any type are stored as the bytes of a coder`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        let colour = Colour(red: 0.25, name: "rust", tags: ["b": 2, "a": 1])
        try test.stack.perform(synchronous: { transaction in
            let kite = transaction.create(Into<Kite>())
            kite.json = colour
            kite.plist = []
            kite.archive = ["b", 3, ["deep": Date(timeIntervalSinceReferenceDate: 1)]]
            kite.lines = ["one", "two"]
            kite.maybe = colour
            kite.maybeLines = ["three"]
            kite.closures = 12
            kite.maybeClosures = "text"
            #expect(kite.json == colour)
            #expect(kite.maybeLines == ["three"])
        })
        let kite = try #require(try test.stack.fetchOne(From<Kite>()))
        #expect(kite.json == colour)
        #expect(kite.plist == [])
        #expect(kite.archive == ["b", 3, ["deep": Date(timeIntervalSinceReferenceDate: 1)]])
        #expect(kite.lines == ["one", "two"])
        #expect(kite.maybe == colour)
        #expect(kite.maybeLines == ["three"])
        #expect(kite.closures == 12)
        #expect(kite.maybeClosures == "text")
        let attributes = schema.rawModel().storeModel.entities[0].attributes.dropFirst()
        #expect(attributes.allSatisfy { $0.type == .transformableAttributeType })
        #expect(
            attributes.filter(\.isOptional).map(\.name) == ["maybe", "maybeLines", "maybeClosures", "maybeBorn"]
        )
    }

    @Test(.pins("FLD-31"), arguments: TestBackend.allCases)
    func `nil is stored as null, and null is read as nil`(_ backend: TestBackend) throws {
        #expect(FieldCoders.Json<Colour>.encodeToStoredData(nil) == nil)
        #expect(FieldCoders.Json<Colour>.decodeFromStoredData(nil) == nil)
        #expect(FieldCoders.Plist<Colour>.encodeToStoredData(nil) == nil)
        #expect(FieldCoders.Plist<Colour>.decodeFromStoredData(nil) == nil)
        #expect(FieldCoders.NSCoding<NSArray>.encodeToStoredData(nil) == nil)
        #expect(FieldCoders.NSCoding<NSArray>.decodeFromStoredData(nil) == nil)
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { transaction in
            let kite = transaction.create(Into<Kite>())
            #expect(kite.maybe == nil)
            kite.maybeLines = nil
            kite.maybeClosures = nil
            #expect(kite.maybeLines == nil)
        })
        let kite = try #require(try test.stack.fetchOne(From<Kite>()))
        #expect(kite.maybe == nil)
        #expect(kite.maybeLines == nil)
        #expect(kite.maybeClosures == nil)
        let empty: Where<Kite> = Where(\.$maybe, isEqualTo: nil) && Where(\.$maybeLines, isEqualTo: nil)
        #expect(try test.stack.fetchCount(From<Kite>().where(empty && Where("maybeClosures", isEqualTo: nil))) == 1)
        #expect(try test.stack.fetchCount(From<Kite>().where(\.$maybe == nil && \.$maybeLines == nil)) == 1)
        #expect(try test.stack.fetchCount(From<Kite>().where(\.$maybe != nil || \.$maybeLines != nil)) == 0)
    }

    @Test(.pins("FLD-31"), arguments: TestBackend.allCases)
    func `a value that a closure encodes to nil is stored as null, which the field must allow`(
        _ backend: TestBackend
    ) throws {
        let test = try TestStack(backend, schema)
        let error = #expect(throws: CoreStoreError.self) {
            try test.stack.perform(synchronous: { transaction in
                let kite = transaction.create(Into<Kite>())
                kite.closures = 0
                #expect(kite.closures == -1)
            })
        }
        #expect(
            error?.storageError?.message
                == "'Kite.closures' has no value, but is not optional. Set a value, or use an optional field."
        )
    }

    @Test(.pins("FLD-32")) func `JSON and property lists store the value in an array`() throws {
        let colour = Colour(red: 1, name: "b", tags: ["z": 1, "a": 2])
        let json = try #require(FieldCoders.Json.encodeToStoredData(colour))
        #expect(String(decoding: json, as: UTF8.self) == #"[{"name":"b","red":1,"tags":{"a":2,"z":1}}]"#)
        #expect(FieldCoders.Json.decodeFromStoredData(json) == colour)
        #expect(FieldCoders.Json<Int>.encodeToStoredData(5) == Data("[5]".utf8))
        let plist = try #require(FieldCoders.Plist.encodeToStoredData("text"))
        #expect(plist.prefix(6) == Data("bplist".utf8))
        let list = try PropertyListSerialization.propertyList(from: plist, format: nil)
        #expect(list as? [String] == ["text"])
        #expect(FieldCoders.Plist.decodeFromStoredData(plist) == "text")
        let xml = try PropertyListSerialization.data(fromPropertyList: ["text"], format: .xml, options: 0)
        #expect(FieldCoders.Plist<String>.decodeFromStoredData(xml) == "text")
    }

    @Test(.pins("FLD-32"), arguments: TestBackend.allCases)
    func `a value that cannot be encoded makes the commit throw`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        func failure(_ body: (Kite) -> Void) -> StorageError? {
            let error = #expect(throws: CoreStoreError.self) {
                try test.stack.perform(synchronous: { body($0.create(Into<Kite>())) })
            }
            return error?.storageError
        }
        let error = failure { kite in
            kite.json = Colour(red: .nan)
            // The field still has its former value.
            #expect(kite.json == Colour(red: 0.5))
        }
        #expect(error?.code == .invalidValue)
        #expect(error?.message == "The new value of 'Kite.json' cannot be encoded. Set another value.")
        #expect(error?.cause?.contains("red: ") == true)
        // Optional fields do not lose a value silently either.
        #expect(failure { $0.maybeLines = [""] }?.cause == "Lines cannot encode the value.")
        #expect(failure { $0.maybe = Colour(red: .infinity) }?.code == .invalidValue)
        #expect(try test.stack.fetchCount(From<Kite>()) == 0)
        // Another value, nil, or the deletion of the object resolves the failure.
        try test.stack.perform(synchronous: { transaction in
            let kite = transaction.create(Into<Kite>())
            kite.json = Colour(red: .nan)
            kite.json = Colour(red: 2)
            kite.maybe = Colour(red: .nan)
            kite.maybe = nil
            let other = transaction.create(Into<Kite>())
            other.json = Colour(red: .nan)
            transaction.delete(other)
        })
        #expect(try test.stack.fetchAll(From<Kite>()).map(\.json) == [Colour(red: 2)])
        // A refresh of the object also resolves the failure.
        try test.stack.perform(synchronous: { transaction in
            let kite = try #require(try transaction.fetchOne(From<Kite>()))
            kite.json = Colour(red: .nan)
            kite.refreshAsFault()
            kite.name = "refreshed"
        })
        #expect(try test.stack.fetchOne(From<Kite>())?.name == "refreshed")
    }

    @Test(.pins("FLD-32"), arguments: TestBackend.allCases)
    func `undo and rollback discard a value that could not be encoded`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        let transaction = test.stack.beginUnsafe(supportsUndo: true)
        let kite = transaction.create(Into<Kite>())
        try transaction.commitAndWait()
        kite.name = "kept"
        transaction.flush()
        kite.json = Colour(red: .nan)
        transaction.flush()
        #expect(throws: CoreStoreError.self) { try transaction.commitAndWait() }
        transaction.undo()
        try transaction.commitAndWait()
        #expect(try test.stack.fetchOne(From<Kite>())?.name == "kept")
        kite.json = Colour(red: .nan)
        transaction.rollback()
        kite.name = "again"
        try transaction.commitAndWait()
        // The failure of a child does not affect its parent.
        let child = transaction.beginUnsafe()
        try #require(child.edit(kite)).json = Colour(red: .nan)
        #expect(throws: CoreStoreError.self) { try child.commitAndWait() }
        try transaction.commitAndWait()
        #expect(try test.stack.fetchOne(From<Kite>())?.json == Colour(red: 0.5))
    }

    @Test(.pins("FLD-32"), arguments: TestBackend.allCases)
    func `bytes that cannot be decoded read as the default`(_ backend: TestBackend) throws {
        // A class of the same entity, whose fields accept any bytes.
        final class Bytes: CoreStoreObject {
            @Field.Coded("json", coder: (encode: { $0 }, decode: { $0 ?? Data() })) var json: Data = Data()
            @Field.Coded("plist", coder: (encode: { $0 }, decode: { $0 ?? Data() })) var plist: Data = Data()
            @Field.Coded("archive", coder: (encode: { $0 }, decode: { $0 ?? Data() })) var archive: Data = Data()
            @Field.Coded("maybe", coder: (encode: { $0 }, decode: { $0 })) var maybe: Data?
        }
        final class Gannet: CoreStoreObject {
            @Field.Coded("json", coder: FieldCoders.Json.self) var json: Colour = .init(red: 0.5)
            @Field.Coded("plist", coder: FieldCoders.Plist.self, dynamicInitialValue: { [3] }) var plist: [Int]
            @Field.Coded("archive", coder: FieldCoders.NSCoding.self) var archive: NSArray = ["a"]
            @Field.Coded("maybe", coder: FieldCoders.Json.self) var maybe: Colour?
        }
        let reopened = try ReopenedStore(
            backend, CoreStoreSchema(modelVersion: "V1", entities: [Entity<Bytes>("Gannet")]),
            CoreStoreSchema(modelVersion: "V1", entities: [Entity<Gannet>("Gannet")])
        ) { transaction in
            let bytes = transaction.create(Into<Bytes>())
            bytes.json = Data("[{\"red\":\"x\"}]".utf8)
            bytes.plist = Data("bplist00\u{1}".utf8)
            bytes.archive = Data("no archive".utf8)
            bytes.maybe = Data("[]".utf8)
        }
        let gannet = try #require(try reopened.stack.fetchOne(From<Gannet>()))
        let log = RecordingLogger.record("Gannet.") {
            #expect(gannet.json == Colour(red: 0.5))
            #expect(gannet.plist == [3])
            #expect(gannet.archive == ["a"])
            #expect(gannet.maybe == nil)
        }
        #expect(log.errors.count == 4)
        #expect(log.entries.first == .error(.internalError, "Reading a coded field failed."))
        // The row can be repaired.
        try reopened.stack.perform(synchronous: { try #require($0.edit(gannet)).json = Colour(red: 3) })
        #expect(gannet.json == Colour(red: 3))
    }

    @Test(.pins("FLD-33"), arguments: TestBackend.allCases)
    func `Foundation's own classes need no coder`(_ backend: TestBackend) throws {
        final class Box: CoreStoreObject {
            @Field.Coded("list") var list: NSArray = [1]
            @Field.Coded("names") var names: NSDictionary?
            @Field.Coded("when", dynamicInitialValue: { NSDate(timeIntervalSinceReferenceDate: 5) }) var when: NSDate
            @Field.Coded("url", coder: FieldCoders.DefaultNSSecureCoding.self) var url: NSURL?
        }
        let test = try TestStack(backend, CoreStoreSchema(modelVersion: "V1", entities: [Entity<Box>("Box")]))
        try test.stack.perform(synchronous: { transaction in
            let box = transaction.create(Into<Box>())
            #expect(box.list == [1])
            box.list = ["a", NSNull(), Data([1, 2])]
            box.names = ["a": NSSet(array: [1, 2])]
            box.url = NSURL(string: "https://example.com")
        })
        let box = try #require(try test.stack.fetchOne(From<Box>()))
        #expect(box.list == ["a", NSNull(), Data([1, 2])])
        #expect(box.names == ["a": NSSet(array: [1, 2])])
        #expect(box.when == NSDate(timeIntervalSinceReferenceDate: 5))
        #expect(box.url == NSURL(string: "https://example.com"))
        // Instances of other classes are not created from the content of a file.
        let archive = try #require(FieldCoders.NSCoding.encodeToStoredData(NSLocale(localeIdentifier: "de")))
        #expect(throws: (any Error).self) { try FieldCoders.DefaultNSSecureCoding<NSString>.decoded(archive) }
        let list = try #require(FieldCoders.NSCoding.encodeToStoredData(["a": NSUUID()] as NSDictionary))
        #expect(try FieldCoders.NSCoding<NSDictionary>.decoded(list)?.count == 1)
    }

    @Test(.pins("FLD-30")) func `a damaged archive throws, wherever the damage is`() throws {
        let value: NSDictionary = [
            "list": ["a", NSUUID(), NSDate(), NSNumber(value: 1.5)] as NSArray, "set": NSSet(array: [1]),
        ]
        let archive = try #require(FieldCoders.NSCoding.encodeToStoredData(value))
        #expect(try FieldCoders.NSCoding<NSDictionary>.decoded(archive) == value)
        for index in archive.indices {
            var damaged = archive
            damaged[index] ^= 1 << UInt8(index % 8)
            #expect(throws: (any Error).self) { try FieldCoders.NSCoding<NSDictionary>.decoded(damaged) }
        }
        for length in 0..<archive.count {
            #expect(throws: (any Error).self) { try FieldCoders.NSCoding<NSDictionary>.decoded(archive.prefix(length)) }
        }
        let bare = try NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: false)
        #expect(throws: (any Error).self) { try FieldCoders.NSCoding<NSDictionary>.decoded(bare) }
    }

    @Test(.pins("FLD-30")) func `an object that cannot be archived throws, wherever it is`() throws {
        final class Inner: NSObject, NSCoding {
            override init() {}
            init?(coder: NSCoder) {}
            func encode(with coder: NSCoder) {}
        }
        let list: NSArray = ["a", Inner(), ["b": Inner()] as NSDictionary]
        #if canImport(ObjectiveC)
            #expect(try FieldCoders.NSCoding<NSArray>.decoded(FieldCoders.NSCoding.encoded(list))?.count == 3)
        #else
            #expect(throws: (any Error).self) { try FieldCoders.NSCoding.encoded(Inner()) }
            let error = #expect(throws: (any Error).self) { try FieldCoders.NSCoding.encoded(list) }
            #expect("\(try #require(error))".contains("Inner' cannot be archived"))
        #endif
        // `Plain` and `Value` do not conform to NSCoding, and `Inner` does not support secure coding.
        final class Plain: NSObject {}
        struct Value {}
        for list: NSArray in [["a", Plain()], [["b": Value()] as NSDictionary]] {
            let error = #expect(throws: (any Error).self) { try FieldCoders.NSCoding.encoded(list) }
            #expect("\(try #require(error))".contains("does not conform to 'NSCoding'"))
        }
        let insecure = #expect(throws: (any Error).self) {
            try FieldCoders.DefaultNSSecureCoding<NSArray>.encoded([Inner()])
        }
        #expect("\(try #require(insecure))".contains("does not support 'NSSecureCoding'"))
        let kept: NSArray = ["a", 1, 1.5, true, Data([1]), Date(), UUID(), NSNull(), ["b": [URL(filePath: "/c")]]]
        #expect(try FieldCoders.DefaultNSSecureCoding<NSArray>.encoded(kept) != nil)
        #expect(try FieldCoders.NSCoding<NSArray>.decoded(FieldCoders.NSCoding.encoded(kept))?.count == kept.count)
    }

    @Test(.pins("FLD-34")) func `the coder and the type are not part of the hash`() {
        final class One: CoreStoreObject {
            @Field.Coded("value", coder: FieldCoders.Json.self) var value: Int = 1
        }
        final class Two: CoreStoreObject {
            @Field.Coded("value", coder: FieldCoders.Plist.self) var value: [String] = []
        }
        final class Three: CoreStoreObject {
            @Field.Coded("value", coder: FieldCoders.Plist.self) var value: [String]?
        }
        func hash<O: CoreStoreObject>(_ type: O.Type) -> Data? {
            CoreStoreSchema(modelVersion: "V1", entities: [Entity<O>("Item")]).rawModel().storeModel
                .versionHashes["Item"]
        }
        #expect(hash(One.self) == hash(Two.self))
        #expect(hash(One.self) != hash(Three.self))
    }

    @Test(.pins("FLD-35"), arguments: TestBackend.allCases)
    func `coded fields have defaults, initial values, accessors and changes in place`(_ backend: TestBackend) throws {
        final class Rook: CoreStoreObject {
            @Field.Coded(
                "colour", coder: FieldCoders.Json.self,
                customGetter: { object, field in
                    var colour = field.primitiveValue ?? Colour(red: -1)
                    colour.name = object.$name.value
                    return colour
                },
                customSetter: { object, field, newValue in
                    field.primitiveValue = newValue
                    object.$count.value += 1
                },
                affectedByKeyPaths: ["name"]
            )
            var colour: Colour = .init(red: 0.5)
            @Field.Stored("name") var name: String = "rook"
            @Field.Stored("count") var count: Int = 0
            @Field.Coded("plain", coder: FieldCoders.Json.self) var plain: Colour = .init(red: 1)
        }
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { transaction in
            let (one, two) = (transaction.create(Into<Kite>()), transaction.create(Into<Kite>()))
            #expect(one.json == Colour(red: 0.5))
            #expect(one.lines == ["x", "y"])
            #expect(one.maybeLines == ["default"])
            #expect(one.closures == 7)
            #expect(one.born != two.born)
            #expect(one.maybeBorn != two.maybeBorn)
            #expect(one.born == one.born)
        })
        let birds = try TestStack(backend, CoreStoreSchema(modelVersion: "V1", entities: [Entity<Rook>("Rook")]))
        try birds.stack.perform(synchronous: { transaction in
            let rook = transaction.create(Into<Rook>())
            #expect(rook.colour == Colour(red: 0.5, name: "rook"))
            rook.colour.red = 0.75
            rook.plain.tags["a"] = 1
            rook.plain.tags["a", default: 0] += 1
            #expect(rook.count == 1)
        })
        let rook = try #require(try birds.stack.fetchOne(From<Rook>()))
        #expect(rook.colour == Colour(red: 0.75, name: "rook"))
        #expect(rook.plain.tags == ["a": 2])
        try birds.stack.perform(synchronous: { transaction in
            let edited = try #require(transaction.edit(rook))
            edited.plain.red = 9
            #expect(transaction.updatedObjects(Rook.self) == [edited])
        })
        #expect(rook.plain.red == 9)
    }

    @Test(.pins("FLD-02", "FLD-35"), arguments: TestBackend.allCases)
    func `a coded default is evaluated once, and an initial value for each object`(
        _ backend: TestBackend
    ) throws {
        final class Martin: CoreStoreObject {
            @Field.Coded("default", coder: FieldCoders.Json.self) var usual: UUID = UUID()
            @Field.Coded("optional", coder: FieldCoders.Plist.self) var optional: [UUID]? = [UUID()]
            @Field.Coded(
                "closures",
                coder: (
                    encode: { Data($0.uuidString.utf8) },
                    decode: { $0.flatMap { UUID(uuidString: String(decoding: $0, as: UTF8.self)) } ?? UUID() }
                ),
                dynamicInitialValue: { UUID() }
            ) var made: UUID
            @Field.Coded(
                "maybeClosures",
                coder: (
                    encode: { $0.map { Data($0.uuidString.utf8) } },
                    decode: { $0.flatMap { UUID(uuidString: String(decoding: $0, as: UTF8.self)) } }
                ),
                dynamicInitialValue: { UUID() }
            ) var maybeMade: UUID?
        }
        let test = try TestStack(backend, CoreStoreSchema(modelVersion: "V1", entities: [Entity<Martin>("Martin")]))
        let made = try test.stack.perform(synchronous: { transaction in
            let (one, two) = (transaction.create(Into<Martin>()), transaction.create(Into<Martin>()))
            #expect(one.usual == two.usual && one.optional == two.optional)
            #expect(one.made != two.made && one.maybeMade != two.maybeMade)
            #expect(transaction.updatedObjects(Martin.self).isEmpty)
            return Set([one.made, two.made])
        })
        let saved = try test.stack.fetchAll(From<Martin>())
        #expect(Set(saved.map(\.made)) == made)
        #expect(Set(saved.map(\.usual)).count == 1 && Set(saved.map(\.optional)).count == 1)
        #expect(saved.allSatisfy { $0.maybeMade != nil && $0.optional?.count == 1 })
    }

    @Test(.pins("FLD-35")) func `a default that cannot be encoded logs an assertion when the model is built`() {
        final class Puffin: CoreStoreObject {
            @Field.Coded("colour", coder: FieldCoders.Json.self) var colour: Colour = .init(red: .nan)
        }
        let log = RecordingLogger.record("Puffin") {
            _ = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Puffin>("Puffin")]).rawModel()
        }
        #expect(log.assertions.first?.hasPrefix("'Puffin.colour' has a default that cannot be encoded: red: ") == true)
    }

    @Test(.pins("FLD-36"), arguments: TestBackend.allCases)
    func `clauses can compare a coded field only with nil`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { transaction in
            transaction.create(Into<Kite>()).maybe = Colour(red: 1)
            _ = transaction.create(Into<Kite>())
            let pending = try transaction.fetchCount(From<Kite>().where(Where(\.$maybe, isEqualTo: nil)))
            #expect(pending == 1)
        })
        #expect(try test.stack.fetchCount(From<Kite>().where(Where(\.$maybe, isEqualTo: nil))) == 1)
        #expect(try test.stack.fetchCount(From<Kite>().where(!Where<Kite>("maybe", isEqualTo: nil))) == 1)
        #expect(try test.stack.fetchCount(From<Kite>().where(Where("maybe != nil"))) == 1)
        #expect(try test.stack.queryValue(From<Kite>().select(Int.self, .count(\.$maybe))) == 1)
        func message(_ body: () throws -> Void) -> String? {
            #expect(throws: CoreStoreError.self) { try body() }?.storageError?.message
        }
        let refusal =
            "'Kite.json' is a coded field, which can only be compared with nil, or counted. Other fields are 'name'."
        func refuses(_ clauses: any FetchClause...) -> Bool {
            message { _ = try test.stack.fetchAll(From<Kite>(), clauses) } == refusal
        }
        #expect(refuses(Where<Kite>("json", isEqualTo: Data())))
        #expect(refuses(Where<Kite>("json CONTAINS %@", "a")))
        #expect(refuses(Where<Kite>("NOT (name == 'x' AND lowercase(json) == 'a')")))
        #expect(refuses(OrderBy<Kite>(.ascending("json"))))
        #expect(refuses(OrderBy<Kite>(.descending { $0.$json })))
        #expect(
            message { _ = try test.stack.queryValue(From<Kite>().select(Data.self, .attribute(\.$json))) } == refusal
        )
        #expect(
            message {
                _ = try test.stack.queryAttributes(
                    From<Kite>().select(NSDictionary.self, .count(\.$name)).groupBy(\.$json)
                )
            } == refusal
        )
        #expect(try test.stack.fetchCount(From<Kite>()) == 2)
    }
}
