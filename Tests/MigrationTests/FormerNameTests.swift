import Coffer
import CofferSQLite
import CofferStorage
import CofferStorageTools
import TestSupport
import Testing

/// Former names that do not exist in the previous version.
@MainActor
struct FormerNameTests {
    final class Boat: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
        @Field.Relationship("harbour") var harbour: Harbour?
    }

    final class Harbour: CoreStoreObject {
        @Field.Stored("town") var town: String = ""
        @Field.Relationship("boats", inverse: \.$harbour) var boats: Set<Boat>
    }

    final class Misspelt: CoreStoreObject {
        @Field.Stored("title", previousVersionKeyPath: "nmae") var title: String = "?"
    }

    final class Wrong: CoreStoreObject {
        @Field.Stored("title", previousVersionKeyPath: "xyzzy") var title: String = "?"
    }

    private func schema(_ version: String, _ entities: DynamicEntity...) -> CoreStoreSchema {
        CoreStoreSchema(modelVersion: version, entities: entities)
    }

    private var first: CoreStoreSchema { schema("V1", Entity<Boat>("Boat"), Entity<Harbour>("Harbour")) }

    private func place(_ backend: TestBackend) throws -> Place {
        let place = try Place(backend)
        try place.fill(first) { transaction in
            let (boat, harbour) = (transaction.create(Into<Boat>()), transaction.create(Into<Harbour>()))
            (boat.name, harbour.town, boat.harbour) = ("Ark", "Kiel", harbour)
        }
        return place
    }

    /// Returns the names that are still in the store, read with the first version.
    private func names(_ place: Place) async throws -> [String] {
        let stack = try await place.stack(first)
        defer { stack.unsafeRemoveAllPersistentStoresAndWait() }
        return try stack.fetchAll(From<Boat>()).map(\.name)
    }

    @Test(.pins("MIG-37"), arguments: TestBackend.allCases)
    func `a misspelt former name of a field is refused, and nothing is changed`(
        _ backend: TestBackend
    ) async throws {
        let place = try place(backend)
        let second = schema("V2", Entity<Misspelt>("Boat"))
        let text = """
            invalidModel: 'Boat.title' of version 'V2' has the previousVersionKeyPath 'nmae', but 'Boat' of version 'V1' has \
            neither 'nmae' nor 'title'. Did you mean 'name'? (migrate, \(place.storeDescription)).
            """
        #expect(await place.failure(first, second)?.storageError?.description == text)
        let stack = DataStack(schemaHistory: SchemaHistory(allSchema: [first, second], migrationChain: ["V1", "V2"]))
        let forecast = #expect(throws: CoreStoreError.self) {
            try stack.requiredMigrationsForStorage(place.makeStore())
        }
        #expect(forecast?.storageError?.description == text)
        #expect(try await names(place) == ["Ark"])
    }

    @Test(.pins("MIG-37"), arguments: TestBackend.allCases)
    func `the error about an unknown former name lists the existing names`(_ backend: TestBackend) async throws {
        let place = try place(backend)
        let error = await place.failure(first, schema("V2", Entity<Wrong>("Boat")))?.storageError
        #expect(
            error?.message == """
                'Boat.title' of version 'V2' has the previousVersionKeyPath 'xyzzy', but 'Boat' of version 'V1' has neither \
                'xyzzy' nor 'title'. It has 'name'.
                """)
        #expect(try await names(place) == ["Ark"])
    }

    @Test(.pins("MIG-37"), arguments: TestBackend.allCases)
    func `a misspelt former name of a relationship is refused`(_ backend: TestBackend) async throws {
        final class Ship: CoreStoreObject {
            @Field.Stored("name") var name: String = ""
            @Field.Relationship("port", previousVersionKeyPath: "habour") var port: Port?
        }
        final class Port: CoreStoreObject {
            @Field.Stored("town") var town: String = ""
            @Field.Relationship("ships", inverse: \.$port, previousVersionKeyPath: "boats") var ships: Set<Ship>
        }
        let place = try place(backend)
        let second = schema("V2", Entity<Ship>("Boat"), Entity<Port>("Harbour"))
        #expect(
            await place.failure(first, second)?.storageError?.message == """
                'Boat.port' of version 'V2' has the previousVersionKeyPath 'habour', but 'Boat' of version 'V1' has neither \
                'habour' nor 'port'. Did you mean 'harbour'?
                """)
        #expect(try await names(place) == ["Ark"])
    }

    @Test(.pins("MIG-37"))
    func `a synchronous migration refuses a misspelt former name and erases nothing`()
        async throws
    {
        let place = try place(.sqlite)
        let options: LocalStorageOptions = [.allowSynchronousLightweightMigration, .recreateStoreOnModelMismatch]
        for stack in [
            DataStack(schema("V2", Entity<Misspelt>("Boat"))),
            DataStack(schemaHistory: [first, schema("V2", Entity<Misspelt>("Boat"))]),
        ] {
            let error = #expect(throws: CoreStoreError.self) { try stack.addStorageAndWait(place.sqlite(options)) }
            #expect(error?.storageError?.code == .invalidModel)
        }
        #expect(try await names(place) == ["Ark"])
    }

    @Test(.pins("MIG-37"), arguments: TestBackend.allCases)
    func `a former name is valid in later versions and for a store that skips a version`(
        _ backend: TestBackend
    ) async throws {
        final class Renamed: CoreStoreObject {
            @Field.Stored("title", previousVersionKeyPath: "name") var title: String = ""
        }
        final class Later: CoreStoreObject {
            @Field.Stored("title", previousVersionKeyPath: "name") var title: String = ""
            @Field.Stored("size") var size: Int = 7
        }
        final class Bare: CoreStoreObject {
            @Field.Stored("size") var size: Int = 7
        }
        let place = try place(backend)
        let (second, third) = (schema("V2", Entity<Renamed>("Boat")), schema("V3", Entity<Later>("Boat")))
        let stack = try await place.stack(first, second, third)
        #expect(try stack.fetchAll(From<Later>()).map(\.title) == ["Ark"])
        stack.unsafeRemoveAllPersistentStoresAndWait()
        let bare = try Place(backend)
        let zeroth = schema("V0", Entity<Bare>("Boat"))
        try bare.fill(zeroth) { $0.create(Into<Bare>()).size = 8 }
        let skipping = try await bare.stack(
            zeroth, first, second, third, chain: ["V0": "V3", "V1": "V2", "V2": "V3"])
        #expect(try skipping.fetchAll(From<Later>()).map(\.size) == [8])
    }

    @Test(.pins("MIG-37"))
    func `a synchronous migration of an unknown version is refused if a former name is ambiguous`()
        throws
    {
        final class Old: CoreStoreObject {
            @Field.Stored("owner") var owner: String = ""
            @Field.Stored("alias") var alias: String = ""
            @Field.Stored("nickname") var nickname: String = ""
        }
        final class Middle: CoreStoreObject {
            @Field.Stored("boss", previousVersionKeyPath: "owner") var boss: String = ""
            @Field.Stored("alias", previousVersionKeyPath: "nickname") var alias: String = ""
            @Field.Stored("nickname", previousVersionKeyPath: "alias") var nickname: String = ""
        }
        final class Renamed: CoreStoreObject {
            @Field.Stored("chief", previousVersionKeyPath: "boss") var chief: String = ""
        }
        final class Exchanged: CoreStoreObject {
            @Field.Stored("title", previousVersionKeyPath: "nickname") var title: String = ""
        }
        let place = try Place(.sqlite)
        try place.fill(schema("V1", Entity<Old>("Boat"))) { transaction in
            let boat = transaction.create(Into<Old>())
            (boat.owner, boat.alias, boat.nickname) = ("Ann", "A", "N")
        }
        func refusal(_ latest: CoreStoreSchema) -> String? {
            let stack = DataStack(schema("V2", Entity<Middle>("Boat")), latest, migrationChain: ["V2", "V3"])
            return #expect(throws: CoreStoreError.self) {
                try stack.addStorageAndWait(place.sqlite(.allowSynchronousLightweightMigration))
            }?.storageError?.message
        }
        #expect(refusal(schema("V3", Entity<Renamed>("Boat")))?.contains("has neither 'boss' nor 'chief'") == true)
        #expect(
            refusal(schema("V3", Entity<Exchanged>("Boat")))
                == "'Boat.title' of version 'V3' has the previousVersionKeyPath 'nickname', which is the new name of "
                + "'alias' in version 'V2'. Version 'V1' has both names. Add the schema of that version to the "
                + "history, with a chain to 'V2'.")
        #expect(try place.sqlite().inspect()?.model.version == "V1")
    }

    @Test(.pins("MIG-37"), arguments: TestBackend.allCases)
    func `a misspelt former name of an entity is refused`(_ backend: TestBackend) throws {
        let place = try place(backend)
        let source = first.rawModel().storeModel
        var target = source
        target.version = "V2"
        target.entities[0].name = "Ship"
        target.entities[0].renamingIdentifier = "Baot"
        let plan = MigrationPlan.inferred(from: source, to: target)
        let error = #expect(throws: StorageError.self) { try plan.checkFormerNames() }
        #expect(
            error?.description == """
                invalidModel: The entity 'Ship' of version 'V2' has the renaming identifier 'Baot', but version 'V1' has \
                neither 'Baot' nor 'Ship'. Did you mean 'Boat'?
                """)
        #expect(try place.makeStore().storedModelVersion() == "V1")
    }
}
