import CofferStorage
import Foundation
import Testing

/// The properties that affect a version hash.
struct StoreModelTests {
    private static let model = StoreModel(
        version: "V1",
        entities: [
            EntityDescription(
                name: "Dog",
                attributes: [
                    AttributeDescription(name: "name", type: .stringAttributeType),
                    AttributeDescription(name: "chip", type: .stringAttributeType, isOptional: true),
                ],
                relationships: [
                    RelationshipDescription(
                        name: "master", destination: "Person", inverse: "dogs", isToMany: false, deleteRule: .nullify)
                ], indexes: [["name"]], uniqueConstraints: [["chip"], ["name", "chip"]]),
            EntityDescription(
                name: "Person",
                relationships: [
                    RelationshipDescription(
                        name: "dogs", destination: "Dog", inverse: "master", isToMany: true, maxCount: 3)
                ]),
        ])

    private static func changed(_ change: (inout StoreModel) -> Void) -> StoreModel {
        var model = model
        change(&model)
        return model
    }

    @Test func `changes that do not affect stored rows keep the version hashes`() {
        let equal = [
            Self.changed { $0.version = "V2" },
            Self.changed { $0.entities.reverse() },
            Self.changed { $0.entities[0].attributes.reverse() },
            Self.changed { $0.entities[0].uniqueConstraints = [["chip", "name"], ["chip"]] },
            Self.changed { $0.entities[0].indexes = [] },
            Self.changed { $0.entities[0].renamingIdentifier = "Hound" },
            Self.changed { $0.entities[0].attributes[0].defaultValue = .text("Rex") },
            Self.changed { $0.entities[0].attributes[0].renamingIdentifier = "title" },
            Self.changed { $0.entities[0].attributes[1].isUUID = true },
        ]
        for model in equal {
            #expect(model.versionHashes == Self.model.versionHashes)
            #expect(model.isCompatible(with: Self.model))
        }
    }

    @Test func `changes that affect stored rows change the version hashes and are named`() {
        let different = [
            Self.changed { $0.entities[0].isAbstract = true },
            Self.changed { $0.entities[0].parent = "Person" },
            Self.changed { $0.entities[0].versionHashModifier = "2" },
            Self.changed { $0.entities[0].uniqueConstraints.removeLast() },
            Self.changed { $0.entities[0].attributes[0].name = "title" },
            Self.changed { $0.entities[0].attributes[0].type = .integer64AttributeType },
            Self.changed { $0.entities[0].attributes[0].isOptional = true },
            Self.changed { $0.entities[0].attributes[0].versionHashModifier = "2" },
            Self.changed { $0.entities[0].attributes.removeLast() },
            Self.changed { $0.entities[0].relationships[0].isToMany = true },
            Self.changed { $0.entities[0].relationships[0].minCount = 1 },
            Self.changed { $0.entities[0].relationships[0].maxCount = 1 },
            Self.changed { $0.entities[0].relationships[0].isOrdered = true },
            Self.changed { $0.entities[0].relationships[0].versionHashModifier = "2" },
            Self.changed { $0.entities.removeFirst() },
        ]
        for model in different {
            #expect(model.versionHashes["Dog"] != Self.model.versionHashes["Dog"])
            #expect(model.versionHashes["Person"] == Self.model.versionHashes["Person"])
            #expect(!model.isCompatible(with: Self.model) && !Self.model.isCompatible(with: model))
            #expect(Self.model.listDifferences(from: model) == "'Dog'")
        }
        #expect(Set(different.map { $0.versionHashes["Dog"] }).count == different.count)
    }

    @Test func `a delete rule changes a version hash, and the store stays compatible`() {
        for rule in [DeleteRule.cascade, .deny] {
            let model = Self.changed { $0.entities[0].relationships[0].deleteRule = rule }
            #expect(model.versionHashes["Dog"] != Self.model.versionHashes["Dog"])
            #expect(model.isCompatible(with: Self.model))
        }
    }

    /// Names are preceded by their lengths.
    @Test func `one name does not have the same hash as two names`() {
        func hash(_ names: [String]) -> Data {
            EntityDescription(name: "Dog", uniqueConstraints: [names]).versionHash
        }
        #expect(hash(["a", "b"]) != hash(["a\n1:b"]) && hash(["ab"]) != hash(["a", "b"]))
    }

    @Test func `marking an attribute as a UUID does not change the description of a model`() {
        let marked = Self.changed { $0.entities[0].attributes[1].isUUID = true }
        #expect(marked != Self.model && marked.isDescribed(by: Self.model) && Self.model.isDescribed(by: marked))
        let moved = Self.changed { $0.entities[0].attributes[0].defaultValue = .text("Rex") }
        #expect(!moved.isDescribed(by: Self.model))
    }

    @Test func `a model survives a round trip through JSON, and JSON omits a missing isUUID`() throws {
        let marked = Self.changed { $0.entities[0].attributes[1].isUUID = true }
        for model in [Self.model, marked] {
            #expect(try JSONDecoder().decode(StoreModel.self, from: JSONEncoder().encode(model)) == model)
        }
        let text = String(decoding: try JSONEncoder().encode(Self.model), as: UTF8.self)
        #expect(!text.contains("isUUID"))
    }

    @Test func `a mismatch names three entities and counts the others`() {
        let names = ["E", "B", "D", "A", "C"]
        let model = StoreModel(version: "V1", entities: names.map { EntityDescription(name: $0) })
        let empty = StoreModel(version: "V2", entities: [])
        #expect(
            StorageError.schemaMismatch("'a.sqlite'", stored: model, opened: empty).message
                == "'a.sqlite' contains data of version 'V1' of the model, which differs from version 'V2' in 'A', "
                + "'B', 'C' and 2 more. Migrate the store, or open it with its own version.")
        #expect(
            StorageError.schemaMismatch(
                "'a.sqlite'", stored: empty, opened: StoreModel(version: "V2", entities: [.init(name: "A")])
            )
            .message
                == "'a.sqlite' contains data of another model that also has the version 'V2'. The models differ in "
                + "'A'. Give the changed model its own version, and migrate the store.")
    }
}
