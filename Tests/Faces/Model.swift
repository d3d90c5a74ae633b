import Coffer

/// The model of the examples.
final class Person: CoreStoreObject {
    @Field.Stored("name") var name: String = ""
    @Field.Stored("age") var age: Int = 0
    @Field.Stored("isMember") var isMember: Bool = false
}

enum Globals {
    static let dataStack = DataStack(CoreStoreSchema(modelVersion: "V1", entities: [Entity<Person>("Person")]))
}
