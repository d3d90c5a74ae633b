import Coffer
import CofferInMemory

@MainActor
func migrating(_ stack: DataStack) async throws {
    let schema = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Person>("Person"), Entity<Dog>("Dog")])
    let store = InMemoryStore()
    let old = DataStack(schema)
    try old.addStorageAndWait(store)
    try old.perform(synchronous: { $0.create(Into<Dog>()).nickname = "Rex" })
    old.unsafeRemoveAllPersistentStoresAndWait()

    // snippet: migrating
    final class NamedDog: CoreStoreObject {
        @Field.Stored("name", previousVersionKeyPath: "nickname") var name: String = ""
    }
    let next = CoreStoreSchema(modelVersion: "V2", entities: [Entity<NamedDog>("Dog")])
    let migrated = DataStack(schema, next, migrationChain: ["V1", "V2"])
    _ = try await migrated.async.addStorage(store)
    print(try migrated.fetchAll(From<NamedDog>()).map(\.name))
    // end
}
