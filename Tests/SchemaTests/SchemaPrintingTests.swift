import Coffer
import CofferStorage
import Foundation
import TestSupport
import Testing

/// The schema in `PrintedSchema.swift`.
private let printedSchema = schema

/// Schemas as Swift source.
@MainActor
struct SchemaPrintingTests {
    private enum Level: Int, ImportableAttributeType, FieldStorableType {
        case low = 1
        case high = 2
    }

    private final class Lamp: Light {
        @Field.Stored("watts", versionHashModifier: "w2", previousVersionKeyPath: "power") var watts: Double = 60.5
        @Field.Stored("level") var level: Level = .high
        @Field.Coded("colours", coder: FieldCoders.Json.self) var colours: [String] = ["red"]
        @Field.Coded("extra", coder: FieldCoders.Plist.self) var extra: [Int]?
        @Field.Virtual("glow", customGetter: { object, _ in object.$watts.value * 2 }) var glow: Double
        @Field.Relationship("room", inverse: \.$lamps) var room: Room?
        @Field.Relationship("next") var next: Lamp?
        @Field.Relationship("previous", inverse: \.$next) var previous: Lamp?
    }

    private class Light: CoreStoreObject {
        @Field.Stored("is on") var isOn: Bool = true
        @Field.Stored("since", dynamicInitialValue: { Date() }) var since: Date
        @Field.Stored("code") var code: Data = Data([1, 2, 255])
        @Field.Stored("price") var price: Decimal? = 1
        @Field.Stored("isDeleted") var wasDeleted: Int8?
    }

    private final class Room: CoreStoreObject {
        @Field.Stored("class") var kind: String = "a \"quoted\"\nname"
        @Field.Stored("floor") var floor: Int32 = -3
        @Field.Relationship("lamps", minCount: 1, maxCount: 9, deleteRule: .deny) var lamps: [Lamp]
        @Field.Relationship("near") var near: Set<Room>
        @Field.Relationship("nearby", inverse: \.$near) var nearby: Set<Room>
    }

    private let schema = CoreStoreSchema(
        modelVersion: "V1",
        entities: [
            Entity<Lamp>("PrintedLamp"),
            Entity<Light>("PrintedLight", isAbstract: true, versionHashModifier: "l2"),
            Entity<Room>("PrintedRoom", indexes: [[\.$kind, \.$floor]], uniqueConstraints: [[\.$kind]]),
        ]
    )

    private func file(_ name: String) throws -> String {
        let url = URL(filePath: #filePath).deletingLastPathComponent().appending(path: name)
        return try String(contentsOf: url, encoding: .utf8)
    }

    @Test(.pins("SCH-41")) func `a schema is printed as source that compiles`() throws {
        // The file is part of this target, so the printed source compiles.
        let printed = schema.printCoreStoreSchema()
        #expect(printed == (try file("PrintedSchema.swift")))
        #expect(printed == schema.printCoreStoreSchema())
    }

    @Test(.pins("SCH-41")) func `the printed source creates a model with the same hashes`() {
        let (model, printed) = (schema.rawModel().storeModel, printedSchema.rawModel().storeModel)
        #expect(model.versionHashes == printed.versionHashes)
        #expect(model.entities.map(\.indexes) == printed.entities.map(\.indexes))
        #expect(model.entities.map(\.relationships) == printed.entities.map(\.relationships))
        // An initial value is printed as a default, because the model has none.
        let defaults = model.entities.flatMap(\.attributes).filter { $0.name != "since" }.map(\.defaultValue)
        let printedDefaults = printed.entities.flatMap(\.attributes).filter { $0.name != "since" }.map(\.defaultValue)
        #expect(defaults == printedDefaults)
    }

    @Test(.pins("SCH-41")) func `configurations are printed`() {
        let configured = CoreStoreSchema(
            modelVersion: "V \"2\"",
            entityConfigurations: [Entity<Light>("func"): ["b", "a"], Entity<Room2>("Other"): []]
        )
        #expect(
            configured.printCoreStoreSchema().contains(
                """
                    modelVersion: "V \\"2\\"",
                    entityConfigurations: [
                        Entity<Other>("Other"): [],
                        Entity<`func`>("func"): ["a", "b"],
                    ],
                """
            )
        )
        #expect(configured.printCoreStoreSchema().contains("final class `func`: CoreStoreObject {\n"))
        #expect(configured.printCoreStoreSchema().contains("final class Other: CoreStoreObject {}\n"))
        let empty = CoreStoreSchema(modelVersion: "V1", entities: []).printCoreStoreSchema()
        #expect(empty.hasSuffix("    versionLock: [:]\n)\n"))
    }

    private final class Room2: CoreStoreObject {}
}
