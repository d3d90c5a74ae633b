import Coffer

/// Birds in cages: the data that the tests describe.
///
/// Two fields have the names of members that other libraries give to every object.
final class Bird: CoreStoreObject {
    @Field.Stored("description") var description: String = ""
    @Field.Stored("debugDescription") var debugDescription: Int = 0
    @Field.Stored("hatched", customGetter: { _, _ in fatalError("A description called a getter.") })
    var hatched: String?
    @Field.Virtual("friend") var friend: Bird?
    @Field.Relationship("cage") var cage: Cage?
}

final class Cage: CoreStoreObject {
    @Field.Stored("number") var number: Int = 0
    @Field.Relationship("birds", inverse: \.$cage) var birds: Set<Bird>
}

enum Aviary {
    static let schema = CoreStoreSchema(
        modelVersion: "V1", entities: [Entity<Bird>("Bird"), Entity<Cage>("Cage")])
}
