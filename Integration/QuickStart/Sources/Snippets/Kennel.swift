import Coffer
import CofferInMemory

final class Person: CoreStoreObject {
    @Field.Stored("name") var name: String = ""
    @Field.Relationship("pets", inverse: \.$master) var pets: Set<Dog>
}

final class Dog: CoreStoreObject {
    @Field.Stored("nickname") var nickname: String = ""
    @Field.Stored("age") var age: Int = 0
    @Field.Relationship("master") var master: Person?
}

/// Returns a stack with the objects that the first program of the README creates.
func kennel() throws -> DataStack {
    let schema = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Person>("Person"), Entity<Dog>("Dog")])
    let stack = DataStack(schema)
    try stack.addStorageAndWait(InMemoryStore())
    try stack.perform(synchronous: { transaction in
        let ann = transaction.create(Into<Person>())
        ann.name = "Ann"
        for (nickname, age) in [("Rex", 3), ("Bella", 9)] {
            let dog = transaction.create(Into<Dog>())
            dog.nickname = nickname
            dog.age = age
            dog.master = ann
        }
    })
    return stack
}
