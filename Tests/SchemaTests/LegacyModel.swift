import Coffer
import Foundation

// One model, with the declarations that `Field` replaced and with fields.

enum LegacyMood: String, ImportableAttributeType {
    case calm, angry
}

@available(*, deprecated)
class LegacyAnimal: CoreStoreObject {
    let species = Value.Required<String>("species", initial: "animal")
    let born = Value.Optional<Date>("born")
}

@available(*, deprecated)
final class LegacyDog: LegacyAnimal {
    let name = Value.Required<String>("name", initial: "dog", versionHashModifier: "v2", renamingIdentifier: "title")
    let age = Value.Optional<Int>("age", initial: 1)
    let mood = Value.Required<LegacyMood>("mood", initial: .calm)
    let tags = Transformable.Required<NSArray>("tags", initial: ["new"], allowsExternalBinaryDataStorage: true)
    let owner = Transformable.Optional<NSString>("owner")
    let barks = Value.Required<Int>("barks", initial: 3, isTransient: true)
    let note = Transformable.Optional<NSString>("note", isTransient: true)
    let shout = Value.Required<String>(
        "shout", initial: "hey", customGetter: LegacyDog.shout(_:), customSetter: LegacyDog.setShout(_:_:),
        affectedByKeyPaths: ["name"]
    )
    let label = Value.Optional<String>("label", isTransient: true, customGetter: LegacyDog.label(_:))
    let master = Relationship.ToOne<LegacyPerson>("master")
    let friends = Relationship.ToManyUnordered<LegacyDog>("friends")
    let friendOf = Relationship.ToManyUnordered<LegacyDog>("friendOf", inverse: { $0.friends })

    private static func shout(_ partial: PartialObject<LegacyDog>) -> String {
        partial.primitiveValue(for: { $0.shout }).uppercased()
    }

    private static func setShout(_ partial: PartialObject<LegacyDog>, _ newValue: String) {
        partial.setPrimitiveValue(newValue + "!", for: { $0.shout })
    }

    private static func label(_ partial: PartialObject<LegacyDog>) -> String? {
        if let known = partial.primitiveValue(for: { $0.label }) { return known }
        let made = "\(partial.value(for: { $0.name })) \(partial.completeObject().species.value)"
        partial.setPrimitiveValue(made, for: { $0.label })
        return made
    }
}

@available(*, deprecated)
final class LegacyPerson: CoreStoreObject {
    let name = Value.Required<String>("name", initial: "")
    let pets = Relationship.ToManyOrdered<LegacyDog>("pets", inverse: { $0.master }, deleteRule: .cascade)
    let spouse = Relationship.ToOne<LegacyPerson>("spouse")
    let spouseOf = Relationship.ToOne<LegacyPerson>("spouseOf", inverse: { $0.spouse })
}

class ModernAnimal: CoreStoreObject {
    @Field.Stored("species") var species: String = "animal"
    @Field.Stored("born") var born: Date?
}

final class ModernDog: ModernAnimal {
    @Field.Stored("name", versionHashModifier: "v2", previousVersionKeyPath: "title") var name: String = "dog"
    @Field.Stored("age") var age: Int? = 1
    @Field.Stored("mood") var mood: String = "calm"
    @Field.Coded("tags", coder: FieldCoders.NSCoding.self) var tags: NSArray = ["new"]
    @Field.Coded("owner", coder: FieldCoders.NSCoding.self) var owner: NSString?
    @Field.Stored("shout") var shout: String = "hey"
    @Field.Relationship("master") var master: ModernPerson?
    @Field.Relationship("friends") var friends: Set<ModernDog>
    @Field.Relationship("friendOf", inverse: \.$friends) var friendOf: Set<ModernDog>
}

final class ModernPerson: CoreStoreObject {
    @Field.Stored("name") var name: String = ""
    @Field.Relationship("pets", inverse: \.$master, deleteRule: .cascade) var pets: [ModernDog]
    @Field.Relationship("spouse") var spouse: ModernPerson?
    @Field.Relationship("spouseOf", inverse: \.$spouse) var spouseOf: ModernPerson?
}

enum LegacyModel {
    @available(*, deprecated)
    static var legacy: CoreStoreSchema {
        CoreStoreSchema(
            modelVersion: "V1",
            entities: [
                Entity<LegacyAnimal>("Animal", isAbstract: true),
                Entity<LegacyDog>("Dog", indexes: [[\.name, \.age]]),
                Entity<LegacyPerson>("Person", uniqueConstraints: [[\.name]]),
            ]
        )
    }

    static var modern: CoreStoreSchema {
        CoreStoreSchema(
            modelVersion: "V1",
            entities: [
                Entity<ModernAnimal>("Animal", isAbstract: true),
                Entity<ModernDog>("Dog", indexes: [[\.$name, \.$age]]),
                Entity<ModernPerson>("Person", uniqueConstraints: [[\.$name]]),
            ]
        )
    }
}
