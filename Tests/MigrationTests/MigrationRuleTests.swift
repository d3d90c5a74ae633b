import Coffer
import CofferInMemory
import CofferPostgreSQL
import CofferSQLite
import CofferStorage
import Dispatch
import Foundation
import TestSupport
import Testing

/// Rules of migrations that other tests check only in part.
@MainActor
struct MigrationRuleTests {
    private func place(_ backend: TestBackend, _ providers: [any SchemaMappingProvider] = []) throws -> Place {
        let place = try Place(backend, providers)
        try place.fill(V1.schema) { V1.fill($0) }
        return place
    }

    private func stack(_ schemas: CoreStoreSchema...) -> DataStack {
        let chain = MigrationChain(schemas.map(\.modelVersion))
        return DataStack(schemaHistory: SchemaHistory(allSchema: schemas, migrationChain: chain))
    }

    private func version(_ place: Place) throws -> String? { try place.makeStore().storedModelVersion() }

    /// Adds a store; returns its progress, and whether the completion was called later, on the main queue.
    private func add(
        _ store: some StorageInterface, to stack: DataStack
    ) async -> (progress: Progress?, wasLater: Bool, error: CoreStoreError?) {
        var isReturned = false
        var progress: Progress?
        _ = MainQueue.isCurrent
        let (wasLater, error) = await withCheckedContinuation { continuation in
            progress = stack.addStorage(store) { result in
                let wasLater = isReturned && MainQueue.isCurrent
                switch result {
                case .success: continuation.resume(returning: (wasLater, nil as CoreStoreError?))
                case .failure(let error): continuation.resume(returning: (wasLater, error))
                }
            }
            isReturned = true
        }
        return (progress, wasLater, error)
    }

    @Test(.pins("MIG-10"), arguments: TestBackend.allCases)
    func `addStorage calls its completion asynchronously on the main queue for every outcome`(
        _ backend: TestBackend
    ) async throws {
        // The store is migrated.
        let old = try place(backend)
        let migrated = await add(try old.makeStore(), to: stack(V1.schema, V2.schema))
        #expect(migrated.progress != nil && migrated.wasLater && migrated.error == nil)
        // The store is new, and then it is already added.
        let new = try Place(backend)
        let (store, both) = (try new.makeStore(), stack(V1.schema, V2.schema))
        for _ in 0..<2 {
            let added = await add(store, to: both)
            #expect(added.progress == nil && added.wasLater && added.error == nil)
        }
        // The store has a version from which no step continues.
        let newer = try place(backend)
        let refused = await add(try newer.makeStore(), to: stack(V3.schema))
        #expect(refused.progress == nil && refused.wasLater && refused.error != nil)
        #expect(try version(newer) == "V1")
        // The store has a configuration that the model does not have.
        let wrong = await add(try backend.makeStore("x", in: new.directory, configuration: "None"), to: both)
        #expect(wrong.progress == nil && wrong.wasLater)
        #expect(wrong.error?.storageError?.code == .invalidModel)
        both.unsafeRemoveAllPersistentStoresAndWait()
    }

    @Test(.pins("MIG-10"))
    func `a file that is open with another configuration is refused asynchronously on the queue`()
        async throws
    {
        let place = try Place(.sqlite)
        let schema = CoreStoreSchema(
            modelVersion: "V1",
            entityConfigurations: [
                Entity<V1.Person>("Person"): ["One"], Entity<V1.Dog>("Dog"): ["One"], Entity<V1.Club>("Club"): ["One"],
            ])
        let stack = DataStack(schema)
        try stack.addStorageAndWait(place.sqlite())
        let refused = await add(SQLiteStore(fileURL: place.file, configuration: "One"), to: stack)
        #expect(refused.progress == nil && refused.wasLater)
        #expect(refused.error == .differentStorageExistsAtURL(existingPersistentStoreURL: place.file))
    }

    @Test(.pins("MIG-11"), arguments: TestBackend.allCases)
    func `the hashes of a store determine its version, not its version name`(
        _ backend: TestBackend
    ) async throws {
        func schema(_ version: String) -> CoreStoreSchema {
            CoreStoreSchema(
                modelVersion: version,
                entities: [Entity<V1.Person>("Person"), Entity<V1.Dog>("Dog"), Entity<V1.Club>("Club")])
        }
        let place = try place(backend)
        let old = schema("Old")
        #expect(try self.stack(old).requiredMigrationsForStorage(place.makeStore()).isEmpty)
        let stack = self.stack(old, V2.schema)
        #expect(
            try stack.requiredMigrationsForStorage(place.makeStore())
                == [.lightweight(sourceVersion: "Old", destinationVersion: "V2")])
        // A schema with the version name of the store but other hashes does not allow a migration.
        let changed = CoreStoreSchema(
            modelVersion: "V1",
            entities: [Entity<V2.Person>("Person"), Entity<V2.Dog>("Dog"), Entity<V2.Club>("Club")])
        #expect(throws: CoreStoreError.self) {
            try self.stack(changed, V3.schema).requiredMigrationsForStorage(place.makeStore())
        }
        try await place.add(to: stack)
        #expect(try stack.fetchCount(From<V2.Person>()) == 2)
        stack.unsafeRemoveAllPersistentStoresAndWait()
        #expect(try version(place) == "V2")
    }

    @Test(.pins("MIG-11"), arguments: TestBackend.allCases)
    func `migration steps begin at the version of the store and must end at the current version`(
        _ backend: TestBackend
    ) throws {
        let second = try Place(backend)
        try second.fill(V2.schema) { _ in }
        #expect(
            try stack(V1.schema, V2.schema, V3.schema).requiredMigrationsForStorage(second.makeStore())
                == [.lightweight(sourceVersion: "V2", destinationVersion: "V3")])
        let first = try place(backend)
        let history = SchemaHistory(
            allSchema: [V1.schema, V2.schema, V3.schema], migrationChain: ["V1": "V2", "V3": "V3"],
            exactCurrentModelVersion: "V3")
        let error = #expect(throws: CoreStoreError.self) {
            try DataStack(schemaHistory: history).requiredMigrationsForStorage(first.makeStore())
        }
        #expect(error?.description.contains("but there are no steps to 'V3'") == true)
        #expect(try version(first) == "V1")
    }

    @Test(.pins("MIG-12")) func `an upgrade with preventProgressiveMigration refuses several steps`() throws {
        let place = try place(.sqlite)
        let error = #expect(throws: CoreStoreError.self) {
            try stack(V1.schema, V2.schema, V3.schema).upgradeStorageIfNeeded(
                place.sqlite(.preventProgressiveMigration)
            ) { _ in }
        }
        #expect(error == .progressiveMigrationRequired(localStoreURL: place.file))
        #expect(try version(place) == "V1")
    }

    @Test(.pins("MIG-14")) func `a store whose migration steps are refused is recreated if the options allow it`()
        async throws
    {
        let place = try place(.sqlite)
        let (name, stack) = (place.file.path, stack(V1.schema, V2.schema, V3.schema))
        let recording = await RecordingLogger.record("is erased and recreated") {
            let added = await add(
                place.sqlite([.preventProgressiveMigration, .recreateStoreOnModelMismatch]), to: stack)
            #expect(added.error == nil)
        }
        #expect(recording.messages(.warning).contains { $0.hasPrefix("SQLiteStore '\(name)' is erased") })
        #expect(try stack.fetchCount(From<V3.Person>()) == 0)
        stack.unsafeRemoveAllPersistentStoresAndWait()
        #expect(try version(place) == "V3")
    }

    @Test(.pins("MIG-16"), arguments: TestBackend.allCases)
    func `a failed upgrade calls its completion with the error and leaves the store unchanged`(
        _ backend: TestBackend
    ) async throws {
        struct Refusal: Error {}
        let refusing = CustomSchemaMappingProvider(
            from: "V1", to: "V2",
            entityMappings: [
                .transformEntity(
                    sourceEntity: "Dog", destinationEntity: "Dog", transformer: { _, _ in throw Refusal() })
            ])
        let place = try place(backend, [refusing])
        let (store, stack) = (try place.makeStore(), stack(V1.schema, V2.schema))
        var isReturned = false
        let (result, wasLater) = await withCheckedContinuation {
            (continuation: CheckedContinuation<(MigrationResult, Bool), Never>) in
            do throws(CoreStoreError) {
                let progress = try stack.upgradeStorageIfNeeded(store) {
                    continuation.resume(returning: ($0, isReturned && MainQueue.isCurrent))
                }
                #expect(progress != nil)
            } catch {
                continuation.resume(returning: (.failure(error), false))
            }
            isReturned = true
        }
        #expect(wasLater)
        let error = #expect(throws: CoreStoreError.self) { try result.get() }
        guard case .userError(let cause)? = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(cause is Refusal)
        #expect(try version(place) == "V1")
    }

    // MARK: Sequences

    @Test(.pins("RX-02"), arguments: TestBackend.allCases)
    func `the sequence of a storage without a migration ends at once and reports no migration`(
        _ backend: TestBackend
    ) async throws {
        let place = try Place(backend)
        let stack = stack(V1.schema, V2.schema)
        defer { stack.unsafeRemoveAllPersistentStoresAndWait() }
        func states<T: StorageInterface>(_ store: T) async throws -> [String] {
            var states: [String] = []
            for try await progress in stack.async.addStorage(store) {
                switch progress {
                case .migrating: states.append("migrating")
                case .finished(let added, let wasMigrated): states.append("finished \(wasMigrated) \(added === store)")
                }
            }
            return states
        }
        #expect(try await states(place.makeStore()) == ["finished false true"])
    }

    @Test(.pins("RX-02"), arguments: TestBackend.allCases)
    func `leaving the sequence does not stop the migration`(_ backend: TestBackend) async throws {
        let gate = DispatchSemaphore(value: 0)
        let slow = CustomSchemaMappingProvider(
            from: "V1", to: "V2",
            entityMappings: [
                .transformEntity(
                    sourceEntity: "Club", destinationEntity: "Club",
                    transformer: { source, create in
                        gate.wait()
                        gate.signal()
                        try CustomSchemaMappingProvider.CustomMapping.inferredTransformation(source, create)
                    })
            ])
        let place = try place(backend, [slow])
        let stack = stack(V1.schema, V2.schema)
        defer { stack.unsafeRemoveAllPersistentStoresAndWait() }
        let added = AsyncStream<Void>.makeStream()
        stack.onStoragesChange { added.continuation.finish() }
        func begin<T: StorageInterface>(_ store: T) async throws {
            for try await progress in stack.async.addStorage(store) {
                #expect(!progress.isCompleted && progress.fractionCompleted == 0)
                break
            }
        }
        try await begin(place.makeStore())
        #expect(throws: CoreStoreError.persistentStoreNotFound(entity: V2.Person.self)) {
            try stack.fetchCount(From<V2.Person>())
        }
        gate.signal()
        for await _ in added.stream {}
        #expect(try stack.fetchCount(From<V2.Person>()) == 2)
    }

    @Test(.pins("TX-13"), arguments: TestBackend.allCases)
    func `an awaited addStorage migrates and adds a storage of any static type`(_ backend: TestBackend) async throws {
        let place = try place(backend)
        func add(_ store: some StorageInterface) async throws -> any StorageInterface {
            try await stack.async.addStorage(store)
        }
        let stack = stack(V1.schema, V2.schema)
        defer { stack.unsafeRemoveAllPersistentStoresAndWait() }
        let store = try place.makeStore()
        #expect(try await add(store) === store)
        let people = try stack.fetchAll(From<V2.Person>().orderBy(.ascending(\.$fullName)))
        #expect(people.map(\.fullName) == ["Ann", "Bob"])
        if backend == .sqlite {
            #expect((store as? SQLiteStore)?.fileURL == place.file)
            #expect(try await add(place.sqlite()) === store)
        }
    }
}
