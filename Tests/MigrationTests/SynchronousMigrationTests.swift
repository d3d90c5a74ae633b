import Coffer
import CofferSQLite
import CofferStorage
import TestSupport
import Testing

/// Stores that are migrated while `addStorageAndWait` waits.
@MainActor
struct SynchronousMigrationTests {
    private func place(_ providers: [any SchemaMappingProvider] = []) throws -> Place {
        let place = try Place(.sqlite, providers)
        try place.fill(V1.schema) { V1.fill($0) }
        return place
    }

    @Test(.pins("STO-24")) func `a synchronous migration follows the chain if the options allow it`() throws {
        let place = try place()
        let stack = DataStack(schemaHistory: [V1.schema, V2.schema, V3.schema])
        try stack.addStorageAndWait(place.sqlite(.allowSynchronousLightweightMigration))
        let ann = try #require(try stack.fetchOne(From<V3.Person>().where(\.$title == "Ann")))
        #expect(ann.animals.map(\.name) == ["Bella", "Rex"])
    }

    @Test(.pins("STO-24")) func `a synchronous migration of a version outside the history uses the model in the file`()
        throws
    {
        let place = try place()
        let stack = DataStack(V2.schema)
        try stack.addStorageAndWait(place.sqlite(.allowSynchronousLightweightMigration))
        let ann = try #require(try stack.fetchOne(From<V2.Person>().where(\.$fullName == "Ann")))
        #expect(ann.pets.map(\.name) == ["Bella", "Rex"])
    }

    @Test(.pins("STO-24")) func `a file that is open elsewhere is neither migrated synchronously nor recreated`() throws
    {
        let place = try place()
        let other = SQLiteStore(fileURL: place.file)
        _ = try other.open(ModelLayout(V1.schema.rawModel().storeModel))
        defer { other.close() }
        let store = SQLiteStore(
            fileURL: place.file,
            localStorageOptions: [.allowSynchronousLightweightMigration, .recreateStoreOnModelMismatch],
            settings: SQLiteConfiguration(busyTimeLimit: 0.05)
        )
        let error = #expect(throws: CoreStoreError.self) {
            try DataStack(schemaHistory: [V1.schema, V2.schema]).addStorageAndWait(store)
        }
        #expect(error?.storageError?.code == .busy)
        #expect(try place.sqlite().inspect()?.model.version == "V1")
    }

    @Test(.pins("STO-24")) func `a store that cannot be migrated synchronously is recreated if the options allow it`()
        throws
    {
        final class Odd: CoreStoreObject {
            @Field.Stored("name") var name: Bool = false
        }
        let place = try place()
        let stack = DataStack(CoreStoreSchema(modelVersion: "V9", entities: [Entity<Odd>("Dog")]))
        try stack.addStorageAndWait(
            place.sqlite([.allowSynchronousLightweightMigration, .recreateStoreOnModelMismatch]))
        #expect(try stack.fetchCount(From<Odd>()) == 0)
        #expect(try place.sqlite().inspect()?.model.version == "V9")
    }

    @Test(.pins("STO-24")) func `a synchronous migration refuses a step that needs custom code`() throws {
        let heavy = CustomSchemaMappingProvider(
            from: "V1", to: "V2",
            entityMappings: [
                .transformEntity(
                    sourceEntity: "Person", destinationEntity: "Person",
                    transformer: CustomSchemaMappingProvider.CustomMapping.inferredTransformation)
            ])
        let place = try place([heavy])
        let stack = DataStack(schemaHistory: [V1.schema, V2.schema])
        let error = #expect(throws: CoreStoreError.self) {
            try stack.addStorageAndWait(place.sqlite(.allowSynchronousLightweightMigration))
        }
        guard case .asynchronousMigrationRequired(place.file, let cause)? = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(CoreStoreError(cause).storageError?.code == .unsupported)
        #expect(try place.sqlite().inspect()?.model.version == "V1")
    }
}
