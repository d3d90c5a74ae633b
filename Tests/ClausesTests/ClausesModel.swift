import CofferClauses
import CofferSchema
import CofferStorage
import CofferStorageTools
import Foundation

// The classes of the clauses in these tests.

enum Mood: String, ImportableAttributeType, FieldStorableType {
    case calm, angry
}

class Animal: CoreStoreObject {
    @Field.Stored("species")
    var species: String = ""
}

final class Dog: Animal {
    @Field.Stored("nick_name")
    var nickname: String?

    @Field.Stored("age")
    var age: Int = 0

    @Field.Stored("weight")
    var weight: Double?

    @Field.Stored("mood")
    var mood: Mood = .calm

    @Field.Relationship("master")
    var master: Person?

    @Field.Relationship("friends", inverse: \.$friendedBy)
    var friends: [Dog]

    @Field.Relationship("friendedBy")
    var friendedBy: Set<Dog>
}

final class Person: CoreStoreObject {
    @Field.Stored("name")
    var name: String = ""

    @Field.Stored("born")
    var born: Date?

    @Field.Relationship("pets", inverse: \.$master)
    var pets: Set<Dog>

    @Field.Relationship("spouse", inverse: \.$spouseOf)
    var spouse: Person?

    @Field.Relationship("spouseOf")
    var spouseOf: Person?

    @Field.Relationship("city", inverse: \.$people)
    var city: City?
}

final class City: CoreStoreObject {
    @Field.Stored("name")
    var name: String = ""

    @Field.Relationship("people")
    var people: Set<Person>
}

/// A representation of a person, like a publisher or a snapshot.
struct Badge: ObjectRepresentation {
    typealias ObjectType = Person
    let id: ObjectID

    func objectID() -> ObjectID { id }
}

enum ClausesModel {
    static let schema = CoreStoreSchema(
        modelVersion: "V1",
        entities: [
            Entity<Animal>("Animal", isAbstract: true), Entity<Dog>("Dog"), Entity<Person>("Person"),
            Entity<City>("City"),
        ]
    )

    static let store = UUID()

    static func id(_ entityName: EntityName, _ key: Int64) -> ObjectID {
        ObjectID(space: KeySpace(store: store, entityName: entityName), key: key)
    }

    /// Returns an object that has an id but no values.
    static func object<O: CoreStoreObject>(_ type: O.Type, _ id: ObjectID) -> O {
        let row = RowBuilder(entity: 0, key: id.key, version: 0, slotCount: 0, tailCapacity: 0).build()
        let context = ObjectContext(nil, isEditable: false)
        return RawObject.with(RowReference(retaining: row), id, in: context) { O(rawObject: $0) }
    }

    static let annID = id("Person", 1)
    static let benID = id("Person", 2)
    static var ann: Person { object(Person.self, annID) }
    static var ben: Person { object(Person.self, benID) }
}

/// Returns a comparison of a property with a constant, created without operators.
func comparison(
    _ keyPath: String, _ relation: QueryComparison.Relation, _ value: Value,
    _ quantifier: QueryComparison.Quantifier = .one
) -> QueryPredicate {
    .comparison(QueryComparison(.keyPath(keyPath), relation, .value(value), quantifier: quantifier))
}

/// Returns the condition that a property is in a list of constants, created without operators.
func isIn(
    _ keyPath: String, _ values: [Value], _ quantifier: QueryComparison.Quantifier = .one
) -> QueryPredicate {
    .comparison(QueryComparison(.keyPath(keyPath), .isIn, .values(values), quantifier: quantifier))
}
