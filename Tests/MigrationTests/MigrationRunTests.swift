import Coffer
import CofferInMemory
import CofferPostgreSQL
import CofferSQLite
import CofferStorage
import Foundation
import TestSupport
import Testing

/// Migrations that data stacks run.
@MainActor
struct MigrationRunTests {
    private func place(
        _ backend: TestBackend = .sqlite, _ providers: [any SchemaMappingProvider] = []
    ) throws -> Place {
        let place = try Place(backend, providers)
        try place.fill(V1.schema) { V1.fill($0) }
        return place
    }

    private func stack(_ schemas: CoreStoreSchema..., chain: MigrationChain? = nil) -> DataStack {
        DataStack(
            schemaHistory: SchemaHistory(
                allSchema: schemas, migrationChain: chain ?? MigrationChain(schemas.map(\.modelVersion)),
                exactCurrentModelVersion: schemas.last?.modelVersion)
        )
    }

    /// Adds a store; returns the progress, and the result after the completion.
    private func add(
        _ store: some StorageInterface, to stack: DataStack
    ) async -> (Progress?, Result<any StorageInterface, CoreStoreError>) {
        var progress: Progress?
        let result: Result<any StorageInterface, CoreStoreError> = await withCheckedContinuation { continuation in
            progress = stack.addStorage(store) { continuation.resume(returning: $0.map { $0 }) }
        }
        return (progress, result)
    }

    private func version(_ place: Place) throws -> String? { try place.makeStore().inspect()?.model.version }

    /// Returns a new, empty store of the place's backend.
    private func newStore(_ name: String, _ place: Place) throws -> any StorageInterface {
        try place.backend.makeStore(name, in: place.directory)
    }

    @Test(.pins("MIG-10"), arguments: TestBackend.persistent)
    func `only a migration has progress, and the completion is called asynchronously on the queue`(
        _ backend: TestBackend
    ) async throws {
        let place = try place(backend)
        let stack = stack(V1.schema, V2.schema)
        var isReturned = false
        var wasLater = false
        _ = MainQueue.isCurrent
        func add(_ store: some StorageInterface) async -> Result<any StorageInterface, CoreStoreError> {
            await withCheckedContinuation { continuation in
                let progress = stack.addStorage(store) { result in
                    wasLater = isReturned && MainQueue.isCurrent
                    continuation.resume(returning: result.map { $0 })
                }
                isReturned = true
                #expect(progress != nil)
            }
        }
        let store = try await add(place.makeStore()).get()
        #expect(wasLater)
        let same: any StorageInterface = backend == .sqlite ? try place.makeStore() : store
        let (again, known) = await self.add(same, to: stack)
        #expect(again == nil)
        #expect(try known.get() === store)
        #expect(try stack.fetchCount(From<V2.Person>()) == 2)
        stack.unsafeRemoveAllPersistentStoresAndWait()

        let (compatible, _) = await self.add(try place.makeStore(), to: self.stack(V1.schema, V2.schema))
        #expect(compatible == nil)
        let new = try newStore("new", place)
        let (none, made) = await self.add(new, to: self.stack(V1.schema, V2.schema))
        #expect(none == nil)
        #expect(try made.get() === new)
    }

    @Test(.pins("MIG-11"), arguments: TestBackend.allCases)
    func `migration steps follow the chain, or go directly to the current version without a chain`(
        _ backend: TestBackend
    ) throws {
        let place = try place(backend)
        let steps = try stack(V1.schema, V2.schema, V3.schema).requiredMigrationsForStorage(place.makeStore())
        #expect(
            steps == [
                .lightweight(sourceVersion: "V1", destinationVersion: "V2"),
                .lightweight(sourceVersion: "V2", destinationVersion: "V3"),
            ])
        let straight = try stack(V1.schema, V2.schema, chain: ["V1": "V2"]).requiredMigrationsForStorage(
            place.makeStore())
        #expect(straight == [.lightweight(sourceVersion: "V1", destinationVersion: "V2")])
        let none = try stack(V2.schema, V1.schema, chain: MigrationChain()).requiredMigrationsForStorage(
            place.makeStore())
        #expect(none.isEmpty)
        let empty = stack(V1.schema, V2.schema, chain: MigrationChain())
        #expect(
            try empty.requiredMigrationsForStorage(place.makeStore())
                == [.lightweight(sourceVersion: "V1", destinationVersion: "V2")])
    }

    @Test(.pins("MIG-12")) func `with preventProgressiveMigration, several steps are refused`() async throws {
        let place = try place()
        let stack = stack(V1.schema, V2.schema, V3.schema)
        let (progress, result) = await add(place.sqlite(.preventProgressiveMigration), to: stack)
        #expect(progress == nil)
        #expect(throws: CoreStoreError.progressiveMigrationRequired(localStoreURL: place.file)) { try result.get() }
        #expect(throws: CoreStoreError.progressiveMigrationRequired(localStoreURL: place.file)) {
            try stack.requiredMigrationsForStorage(place.sqlite(.preventProgressiveMigration))
        }
        #expect(try version(place) == "V1")
        let one = self.stack(V1.schema, V2.schema)
        _ = try await add(place.sqlite(.preventProgressiveMigration), to: one).1.get()
        #expect(try version(place) == "V2")
    }

    @Test(.pins("MIG-13"), arguments: TestBackend.allCases)
    func `without a path to the current version, every call throws the same error`(
        _ backend: TestBackend
    ) async throws {
        let place = try place(backend)
        let stack = stack(V2.schema, V3.schema)
        // Only a file has the URL that CoreStore's error names.
        func isMissing(_ error: (any Error)?) -> Bool {
            let error = error as? CoreStoreError
            guard case .mappingModelNotFound(place.file, _, "V3")? = error else {
                return backend != .sqlite && error?.storageError?.code == .schemaMismatch
            }
            return backend == .sqlite
        }
        let store = try place.makeStore()
        let (progress, result) = await add(store, to: stack)
        #expect(progress == nil)
        #expect(isMissing(#expect(throws: CoreStoreError.self) { try result.get() }))
        #expect(isMissing(#expect(throws: CoreStoreError.self) { try stack.requiredMigrationsForStorage(store) }))
        #expect(
            isMissing(#expect(throws: CoreStoreError.self) { try stack.upgradeStorageIfNeeded(store) { _ in } }))
        let broken = self.stack(V1.schema, V2.schema, V3.schema, chain: ["V2": "V3"])
        #expect(isMissing(#expect(throws: CoreStoreError.self) { try broken.requiredMigrationsForStorage(store) }))
        #expect(try version(place) == "V1")
    }

    @Test(.pins("MIG-14"))
    func `a store that cannot be migrated is recreated if the options allow it, with a warning`()
        async throws
    {
        struct Refusal: Error {}
        let refusing = CustomSchemaMappingProvider(
            from: "V1", to: "V2",
            entityMappings: [
                .transformEntity(
                    sourceEntity: "Dog", destinationEntity: "Dog", transformer: { _, _ in throw Refusal() })
            ])
        for (place, stack) in [
            (try place(.sqlite, [refusing]), stack(V1.schema, V2.schema)), (try place(), stack(V2.schema)),
        ] {
            let name = place.file.path
            let recording = await RecordingLogger.record("is erased and recreated") {
                let (_, result) = await add(place.sqlite(.recreateStoreOnModelMismatch), to: stack)
                #expect(throws: Never.self) { try result.get() }
            }
            #expect(recording.messages(.warning).contains { $0.hasPrefix("SQLiteStore '\(name)' is erased") })
            #expect(try stack.fetchCount(From<V2.Person>()) == 0)
        }
    }

    @Test(.pins("MIG-15"), arguments: TestBackend.allCases)
    func `a forecast changes nothing and reports which steps need custom code`(_ backend: TestBackend) throws {
        let heavy = CustomSchemaMappingProvider(
            from: "V2", to: "V3",
            entityMappings: [
                .transformEntity(
                    sourceEntity: "Person", destinationEntity: "Person",
                    transformer: CustomSchemaMappingProvider.CustomMapping.inferredTransformation)
            ])
        let place = try place(backend, [heavy])
        let file = { backend == .sqlite ? try Data(contentsOf: place.file) : nil }
        let before = (try file(), try place.makeStore().inspect())
        let stack = stack(V1.schema, V2.schema, V3.schema)
        #expect(
            try stack.requiredMigrationsForStorage(place.makeStore()) == [
                .lightweight(sourceVersion: "V1", destinationVersion: "V2"),
                .heavyweight(sourceVersion: "V2", destinationVersion: "V3"),
            ])
        #expect(try file() == before.0)
        #expect(try place.makeStore().inspect() == before.1)
        let missing = try newStore("missing", place)
        #expect(try stack.requiredMigrationsForStorage(missing).isEmpty)
        #expect(try missing.inspect() == nil)
        let files = try FileManager.default.contentsOfDirectory(atPath: place.directory.path(percentEncoded: false))
        #expect(!files.contains { $0.hasPrefix("missing") })

        let store = try newStore("added", place)
        try TestStack.add(store, to: stack)
        let recording = RecordingLogger.record("\(store.storeDescription) is already in the data stack") {
            _ = try? stack.requiredMigrationsForStorage(store)
        }
        #expect(recording.assertions.count == 1)
    }

    @Test(.pins("MIG-16"), arguments: TestBackend.allCases)
    func `an upgrade does not add the store, and a missing store is an error`(
        _ backend: TestBackend
    ) async throws {
        let place = try place(backend)
        let store = try place.makeStore()
        let stack = stack(V1.schema, V2.schema, V3.schema)
        var progress: Progress?
        let result = await withCheckedContinuation { (continuation: CheckedContinuation<MigrationResult, Never>) in
            do throws(CoreStoreError) {
                progress = try stack.upgradeStorageIfNeeded(store) { continuation.resume(returning: $0) }
            } catch {
                continuation.resume(returning: .failure(error))
            }
        }
        #expect(progress != nil)
        #expect(try result.get().map(\.destinationVersion) == ["V2", "V3"])
        #expect(try version(place) == "V3")
        #expect(throws: CoreStoreError.self) { try stack.fetchCount(From<V3.Person>()) }
        let again = await withCheckedContinuation { continuation in
            progress = try? stack.upgradeStorageIfNeeded(store) { continuation.resume(returning: $0) }
        }
        #expect(progress == nil)
        #expect(try again.get().isEmpty)
        let missing = try newStore("missing", place)
        let error = #expect(throws: CoreStoreError.self) { try stack.upgradeStorageIfNeeded(missing) { _ in } }
        #expect(error?.storageError?.code == .unavailable)
    }

    @Test(.pins("MIG-17"), arguments: TestBackend.allCases)
    func `a failed step leaves the store as before the first step`(_ backend: TestBackend) async throws {
        struct Refusal: Error {}
        let refusing = CustomSchemaMappingProvider(
            from: "V2", to: "V3",
            entityMappings: [
                .transformEntity(
                    sourceEntity: "Dog", destinationEntity: "Dog", transformer: { _, _ in throw Refusal() })
            ])
        let place = try place(backend, [refusing])
        let (_, result) = await add(try place.makeStore(), to: stack(V1.schema, V2.schema, V3.schema))
        #expect(throws: CoreStoreError.self) { try result.get() }
        #expect(try version(place) == "V1")
        let (_, old) = await add(try place.makeStore(), to: stack(V1.schema))
        #expect(throws: Never.self) { try old.get() }
    }

    /// The change that another process makes to a store whose migration waits.
    enum Deed: CaseIterable {
        case erase, replace, migrate
    }

    @Test(arguments: TestBackend.persistent, Deed.allCases)
    func `a store that another process changes before its migration is opened in its new state`(
        _ backend: TestBackend, _ deed: Deed
    ) async throws {
        let (isHeld, goesOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let slow = CustomSchemaMappingProvider(
            from: "V1", to: "V2",
            entityMappings: [
                .transformEntity(
                    sourceEntity: "Person", destinationEntity: "Person",
                    transformer: { source, create in
                        isHeld.signal()
                        goesOn.wait()
                        try CustomSchemaMappingProvider.CustomMapping.inferredTransformation(source, create)
                    })
            ])
        let first = try place(.sqlite, [slow])
        let second = try place(backend)
        let stack = stack(V1.schema, V2.schema, V3.schema)
        let held = Task { await add(first.sqlite(), to: stack) }
        await Task.yield()
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                isHeld.wait()
                continuation.resume()
            }
        }
        // The steps of this migration are determined now. They run after the first migration has ended.
        let store: any StorageInterface =
            backend == .sqlite ? second.sqlite(.recreateStoreOnModelMismatch) : try second.makeStore()
        let waiting = Task { await add(store, to: stack) }
        await Task.yield()
        switch deed {
        case .erase: try second.makeStore().erase()
        case .replace:
            try second.makeStore().erase()
            try second.fill(V1.schema) { $0.create(Into<V1.Person>()).name = "Zoe" }
        case .migrate:
            let other = try await second.stack(V1.schema, V2.schema)
            try other.perform(synchronous: { $0.create(Into<V2.Person>()).fullName = "Zoe" })
            other.unsafeRemoveAllPersistentStoresAndWait()
        }
        for _ in 0..<100 { goesOn.signal() }
        await #expect(throws: Never.self) { try await held.value.1.get() }
        await #expect(throws: Never.self) { try await waiting.value.1.get() }
        stack.unsafeRemoveAllPersistentStoresAndWait()
        let names = try await second.stack(V1.schema, V2.schema, V3.schema).fetchAll(From<V3.Person>()).map(\.title)
        #expect(names.contains("Zoe") == (deed != .erase))
        #expect((names.count > 1) == (deed == .migrate))
    }

    @Test(.pins("MIG-13")) func `a store that does not support migration is refused and keeps its data`() async throws {
        let store = ProbedStore(InMemoryStore())
        let old = stack(V1.schema)
        try old.addStorageAndWait(store)
        try old.perform(synchronous: { V1.fill($0) })
        old.unsafeRemoveAllPersistentStoresAndWait()
        let new = stack(V1.schema, V2.schema)
        let error = await #expect(throws: CoreStoreError.self) {
            let _: ProbedStore = try await new.async.addStorage(store)
        }
        #expect(
            error?.storageError?.description
                == "unsupported: ProbedStore cannot migrate. Open a fresh store, or use one that conforms to "
                + "MigratableStorage (migrate, ProbedStore).")
        let again = stack(V1.schema)
        try again.addStorageAndWait(store)
        #expect(try again.fetchCount(From<V1.Person>()) == 2)
    }

    @Test(.pins("MIG-17"), arguments: TestBackend.persistent)
    func `a store that is open elsewhere is neither migrated nor recreated`(_ backend: TestBackend) async throws {
        let place = try place(backend)
        let other = try place.makeStore()
        _ = try other.open(ModelLayout(V1.schema.rawModel().storeModel))
        defer { other.close() }
        let store: any StorageInterface =
            backend == .sqlite
            ? SQLiteStore(
                fileURL: place.file, localStorageOptions: .recreateStoreOnModelMismatch,
                settings: SQLiteConfiguration(busyTimeLimit: 0.05))
            : try place.postgresql(PostgreSQLConfiguration(busyTimeLimit: 0.05))
        let (_, result) = await add(store, to: stack(V1.schema, V2.schema))
        let error = #expect(throws: CoreStoreError.self) { try result.get() }
        let name = store.storeDescription.drop { $0 != "'" }
        #expect(
            error?.storageError?.description
                == "busy: \(name) is open elsewhere. Close it there before it is migrated (migrate, "
                + "\(store.storeDescription)).")
        #expect(try version(place) == "V1")
    }

    @Test(.pins("MIG-19"), arguments: TestBackend.allCases)
    func `migrations of one stack run one after the other, and the stack can be used during them`(
        _ backend: TestBackend
    ) async throws {
        let gate = DispatchSemaphore(value: 0)
        let slow = CustomSchemaMappingProvider(
            from: "V1", to: "V2",
            entityMappings: [
                .transformEntity(
                    sourceEntity: "Club", destinationEntity: "Club",
                    transformer: { source, createDestination in
                        gate.wait()
                        gate.signal()
                        try CustomSchemaMappingProvider.CustomMapping.inferredTransformation(source, createDestination)
                    })
            ])
        let (one, two) = (try place(backend, [slow]), try place(backend))
        let stack = stack(V1.schema, V2.schema)
        try stack.addStorageAndWait(InMemoryStore())
        var order: [String] = []
        let done = AsyncStream<Void>.makeStream()
        func addSlowly(_ store: some StorageInterface) {
            _ = stack.addStorage(store) { _ in
                order.append("slow")
                done.continuation.yield()
            }
        }
        addSlowly(try one.makeStore())
        _ = try stack.upgradeStorageIfNeeded(two.makeStore()) { _ in
            order.append("quick")
            done.continuation.finish()
        }
        try stack.perform(synchronous: { _ = $0.create(Into<V2.Club>()) })
        #expect(try stack.fetchCount(From<V2.Club>()) == 1)
        #expect(order.isEmpty)
        gate.signal()
        for await _ in done.stream {}
        #expect(order == ["slow", "quick"])
    }
}
