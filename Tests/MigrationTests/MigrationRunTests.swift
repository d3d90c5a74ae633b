import Coffer
import CofferInMemory
import CofferSQLite
import Foundation
import TestSupport
import Testing

/// How data stacks migrate files.
@MainActor
struct MigrationRunTests {
    private func place(_ providers: [any SchemaMappingProvider] = []) throws -> Place {
        let place = try Place(.sqlite, providers)
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

    /// Adds a store, and returns the progress and, once it is there, the result.
    private func add(_ store: SQLiteStore, to stack: DataStack) async -> (Progress?, SetupResult<SQLiteStore>) {
        var progress: Progress?
        let result = await withCheckedContinuation { continuation in
            progress = stack.addStorage(store) { continuation.resume(returning: $0) }
        }
        return (progress, result)
    }

    private func version(_ place: Place) throws -> String? { try place.sqlite().inspect()?.model.version }

    @Test func `MIG-10 there is progress only where there is a migration, and the completion comes later on the queue`()
        async throws
    {
        let place = try place()
        let stack = stack(V1.schema, V2.schema)
        var isReturned = false
        var wasLater = false
        _ = MainQueue.isCurrent
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<SetupResult<SQLiteStore>, Never>) in
            let progress = stack.addStorage(place.sqlite()) { result in
                wasLater = isReturned && MainQueue.isCurrent
                continuation.resume(returning: result)
            }
            isReturned = true
            #expect(progress != nil)
        }
        #expect(wasLater)
        let store = try result.get()
        let (again, known) = await add(place.sqlite(), to: stack)
        #expect(again == nil)
        #expect(try known.get() === store)
        #expect(try stack.fetchCount(From<V2.Person>()) == 2)
        stack.unsafeRemoveAllPersistentStoresAndWait()

        let (compatible, _) = await add(place.sqlite(), to: self.stack(V1.schema, V2.schema))
        #expect(compatible == nil)
        let new = SQLiteStore(fileURL: place.directory.appending(path: "new.sqlite"))
        let (none, made) = await add(new, to: self.stack(V1.schema, V2.schema))
        #expect(none == nil)
        #expect(try made.get() === new)
    }

    @Test func `MIG-11 the steps are those of the chain, and straight ahead without one`() throws {
        let place = try place()
        let steps = try stack(V1.schema, V2.schema, V3.schema).requiredMigrationsForStorage(place.sqlite())
        #expect(
            steps == [
                .lightweight(sourceVersion: "V1", destinationVersion: "V2"),
                .lightweight(sourceVersion: "V2", destinationVersion: "V3"),
            ])
        let straight = try stack(V1.schema, V3.schema, chain: ["V1": "V3"]).requiredMigrationsForStorage(place.sqlite())
        #expect(straight == [.lightweight(sourceVersion: "V1", destinationVersion: "V3")])
        let none = try stack(V2.schema, V1.schema, chain: MigrationChain()).requiredMigrationsForStorage(place.sqlite())
        #expect(none.isEmpty)
        let empty = stack(V1.schema, V2.schema, chain: MigrationChain())
        #expect(
            try empty.requiredMigrationsForStorage(place.sqlite())
                == [.lightweight(sourceVersion: "V1", destinationVersion: "V2")])
    }

    @Test func `MIG-12 several steps are refused where the options say so`() async throws {
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

    @Test func `MIG-13 without a way to the current version the error says so, whoever asks`() async throws {
        let place = try place()
        let stack = stack(V2.schema, V3.schema)
        func isMissing(_ error: (any Error)?) -> Bool {
            guard case .mappingModelNotFound(place.file, _, "V3")? = error as? CoreStoreError else { return false }
            return true
        }
        let (progress, result) = await add(place.sqlite(), to: stack)
        #expect(progress == nil)
        #expect(isMissing(#expect(throws: CoreStoreError.self) { try result.get() }))
        #expect(
            isMissing(#expect(throws: CoreStoreError.self) { try stack.requiredMigrationsForStorage(place.sqlite()) }))
        #expect(
            isMissing(
                #expect(throws: CoreStoreError.self) { try stack.upgradeStorageIfNeeded(place.sqlite()) { _ in } }))
        let broken = self.stack(V1.schema, V2.schema, V3.schema, chain: ["V2": "V3"])
        #expect(
            isMissing(#expect(throws: CoreStoreError.self) { try broken.requiredMigrationsForStorage(place.sqlite()) }))
        #expect(try version(place) == "V1")
    }

    @Test func `MIG-14 a store that cannot be migrated is made anew where the options say so, and this is logged`()
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
            (try place([refusing]), stack(V1.schema, V2.schema)), (try place(), stack(V2.schema)),
        ] {
            let name = place.directory.appending(path: "store.sqlite").lastPathComponent
            let recording = await RecordingLogger.record("is erased and made anew") {
                let (_, result) = await add(place.sqlite(.recreateStoreOnModelMismatch), to: stack)
                #expect(throws: Never.self) { try result.get() }
            }
            #expect(recording.messages(.warning).contains { $0.hasPrefix("SQLiteStore '\(name)' is erased") })
            #expect(try stack.fetchCount(From<V2.Person>()) == 0)
        }
    }

    @Test func `MIG-15 forecasting changes nothing, and knows what needs code`() throws {
        let heavy = CustomSchemaMappingProvider(
            from: "V2", to: "V3",
            entityMappings: [
                .transformEntity(
                    sourceEntity: "Person", destinationEntity: "Person",
                    transformer: CustomSchemaMappingProvider.CustomMapping.inferredTransformation)
            ])
        let place = try place([heavy])
        let before = try Data(contentsOf: place.file)
        let stack = stack(V1.schema, V2.schema, V3.schema)
        #expect(
            try stack.requiredMigrationsForStorage(place.sqlite()) == [
                .lightweight(sourceVersion: "V1", destinationVersion: "V2"),
                .heavyweight(sourceVersion: "V2", destinationVersion: "V3"),
            ])
        #expect(try Data(contentsOf: place.file) == before)
        let missing = SQLiteStore(fileURL: place.directory.appending(path: "missing.sqlite"))
        #expect(try stack.requiredMigrationsForStorage(missing).isEmpty)
        #expect(!FileManager.default.fileExists(atPath: missing.fileURL.path))

        let store = SQLiteStore(fileURL: place.directory.appending(path: "added.sqlite"))
        try stack.addStorageAndWait(store)
        let recording = RecordingLogger.record("'added.sqlite' was added to the data stack already") {
            _ = try? stack.requiredMigrationsForStorage(store)
        }
        #expect(recording.assertions.count == 1)
    }

    @Test func `MIG-16 a file is upgraded without being added, and a missing one is an error`() async throws {
        let place = try place()
        let stack = stack(V1.schema, V2.schema, V3.schema)
        var progress: Progress?
        let result = await withCheckedContinuation { (continuation: CheckedContinuation<MigrationResult, Never>) in
            do throws(CoreStoreError) {
                progress = try stack.upgradeStorageIfNeeded(place.sqlite()) { continuation.resume(returning: $0) }
            } catch {
                continuation.resume(returning: .failure(error))
            }
        }
        #expect(progress != nil)
        #expect(try result.get().map(\.destinationVersion) == ["V2", "V3"])
        #expect(try version(place) == "V3")
        #expect(throws: CoreStoreError.self) { try stack.fetchCount(From<V3.Person>()) }
        let again = await withCheckedContinuation { continuation in
            progress = try? stack.upgradeStorageIfNeeded(place.sqlite()) { continuation.resume(returning: $0) }
        }
        #expect(progress == nil)
        #expect(try again.get().isEmpty)
        let missing = SQLiteStore(fileURL: place.directory.appending(path: "missing.sqlite"))
        let error = #expect(throws: CoreStoreError.self) { try stack.upgradeStorageIfNeeded(missing) { _ in } }
        #expect(error?.storageError?.code == .unavailable)
    }

    @Test func `MIG-17 a step that fails leaves the store as it was before the first`() async throws {
        struct Refusal: Error {}
        let refusing = CustomSchemaMappingProvider(
            from: "V2", to: "V3",
            entityMappings: [
                .transformEntity(
                    sourceEntity: "Dog", destinationEntity: "Dog", transformer: { _, _ in throw Refusal() })
            ])
        let place = try place([refusing])
        let (_, result) = await add(place.sqlite(), to: stack(V1.schema, V2.schema, V3.schema))
        #expect(throws: CoreStoreError.self) { try result.get() }
        #expect(try version(place) == "V1")
        let (_, old) = await add(place.sqlite(), to: stack(V1.schema))
        #expect(throws: Never.self) { try old.get() }
    }

    @Test func `MIG-13 a store that cannot migrate is refused, and keeps what it has`() async throws {
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

    @Test func `MIG-17 a file that is open elsewhere is not migrated, nor made anew`() async throws {
        let place = try place()
        let other = SQLiteStore(fileURL: place.file)
        _ = try other.open(ModelLayout(V1.schema.rawModel().storeModel))
        defer { other.close() }
        let settings = SQLiteConfiguration(busyTimeLimit: 0.05)
        let store = SQLiteStore(
            fileURL: place.file, localStorageOptions: .recreateStoreOnModelMismatch, settings: settings)
        let (_, result) = await add(store, to: stack(V1.schema, V2.schema))
        let error = #expect(throws: CoreStoreError.self) { try result.get() }
        #expect(
            error?.storageError?.description
                == "busy: 'store.sqlite' is open elsewhere. Close it there before it is migrated (migrate, SQLiteStore "
                + "'store.sqlite').")
        #expect(try version(place) == "V1")
    }

    @Test func `MIG-19 migrations of one stack wait for each other, and the stack is used meanwhile`() async throws {
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
        let (one, two) = (try place([slow]), try place())
        let stack = stack(V1.schema, V2.schema)
        try stack.addStorageAndWait(InMemoryStore())
        var order: [String] = []
        let done = AsyncStream<Void>.makeStream()
        _ = stack.addStorage(one.sqlite()) { _ in
            order.append("slow")
            done.continuation.yield()
        }
        _ = try stack.upgradeStorageIfNeeded(two.sqlite()) { _ in
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
