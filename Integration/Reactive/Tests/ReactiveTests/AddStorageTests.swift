import Coffer
import CofferReactive
import CofferSQLite
import OpenCombineShim
import Testing

@MainActor
struct AddStorageTests {
    /// Adds any storage; a storage in a file sends its progress.
    private func add(_ store: any StorageInterface, to stack: DataStack) async throws {
        func future<S: StorageInterface>(_ store: S) -> Future<S, CoreStoreError> { stack.reactive.addStorage(store) }
        if let local = store as? SQLiteStore {
            let progress = try await Recorder(stack.reactive.addStorage(local)).finished()
            let last = try #require(progress.last)
            guard case .finished(let added, migrationRequired: false) = last else { throw Dog.Refusal() }
            #expect(added === local && progress.count == 1)
        } else {
            func check<S: StorageInterface>(_ store: S) async throws {
                let added = try await Recorder(future(store)).finished()
                #expect(added.count == 1 && added[0] as AnyObject === store as AnyObject)
            }
            try await check(store)
        }
    }

    @Test(.pins("RX-01", "RX-02"), arguments: Backend.all)
    func `addStorage adds a storage to the data stack`(_ backend: Backend) async throws {
        try await backend.withStore { stack, store in
            try await add(store, to: stack)
            try stack.perform(synchronous: { _ = $0.create(Into<Dog>()) })
            #expect(try stack.fetchCount(From<Dog>()) == 1)
        }
    }

    @Test(.pins("RX-02")) func `a migrated storage publishes its progress, then the storage, and completes`()
        async throws
    {
        try await Backend.sqlite.withStore { _, store in
            let store = try #require(store as? SQLiteStore)
            let chain: MigrationChain = ["V1", "V2"]
            let old = CoreStoreSchema(modelVersion: "V1", entities: [Entity<OldDog>("Dog")])
            let first = DataStack(old)
            try first.addStorageAndWait(store)
            try first.perform(synchronous: { transaction in
                for number in 0..<3_000 { transaction.create(Into<OldDog>()).number = number }
            })
            first.unsafeRemoveAllPersistentStoresAndWait()
            let new = CoreStoreSchema(modelVersion: "V2", entities: [Entity<Dog>("Dog")])
            let stack = DataStack(old, new, migrationChain: chain)
            let same = SQLiteStore(fileURL: store.fileURL)
            let progress = try await Recorder(stack.reactive.addStorage(same)).finished()
            guard case .finished(_, migrationRequired: true)? = progress.last else { throw Dog.Refusal() }
            #expect(progress.count > 1 && progress.dropLast().allSatisfy { !$0.isCompleted })
            #expect(progress.map(\.fractionCompleted) == progress.map(\.fractionCompleted).sorted())
            #expect(try stack.fetchCount(From<Dog>()) == 3_000)
            stack.unsafeRemoveAllPersistentStoresAndWait()
        }
    }

    @Test(.pins("RX-02"), .timeLimit(.minutes(2)))
    func `a migration continues although its subscription is cancelled`() async throws {
        try await Backend.sqlite.withStore { _, store in
            let store = try #require(store as? SQLiteStore)
            let old = CoreStoreSchema(modelVersion: "V1", entities: [Entity<OldDog>("Dog")])
            let first = DataStack(old)
            try first.addStorageAndWait(store)
            try first.perform(synchronous: { transaction in
                for number in 0..<3 { transaction.create(Into<OldDog>()).number = number }
            })
            first.unsafeRemoveAllPersistentStoresAndWait()
            let chain: MigrationChain = ["V1", "V2"]
            let new = CoreStoreSchema(modelVersion: "V2", entities: [Entity<Dog>("Dog")])
            let stack = DataStack(old, new, migrationChain: chain)
            // The list is fetched when the migrated storage is added; nothing else adds a storage.
            let list = stack.publishList(From<Dog>().orderBy(.ascending(\.$number)))
            let counts = Recorder(list.reactive.snapshot(emitInitialValue: false).map { $0.count }.first())
            let recorder = Recorder(stack.reactive.addStorage(SQLiteStore(fileURL: store.fileURL)))
            recorder.cancel()
            #expect(try await counts.finished() == [3])
            #expect(recorder.completion == nil)
            stack.unsafeRemoveAllPersistentStoresAndWait()
        }
    }

    @Test(.pins("RX-01"), .timeLimit(.minutes(2)), arguments: Backend.all)
    func `a storage is added although its future is dropped`(_ backend: Backend) async throws {
        try await backend.withStore { stack, store in
            let list = stack.publishList(From<Dog>().orderBy(.ascending(\.$number)))
            let counts = Recorder(list.reactive.snapshot(emitInitialValue: false).map { $0.count }.first())
            func begin<S: StorageInterface>(_ store: S) { _ = stack.reactive.addStorage(store) }
            begin(store)
            #expect(try await counts.finished() == [0])
            try stack.perform(synchronous: { _ = $0.create(Into<Dog>()) })
            #expect(try stack.fetchCount(From<Dog>()) == 1)
        }
    }

    @Test(.pins("RX-02")) func `a storage is added although the subscription is cancelled`() async throws {
        try await Backend.sqlite.withStore { stack, store in
            let store = try #require(store as? SQLiteStore)
            let recorder = Recorder(stack.reactive.addStorage(store))
            recorder.cancel()
            // Storages are added one after the other, so the first one is known when the second one is added.
            #expect(try await stack.async.addStorage(store) === store)
            #expect(recorder.values.isEmpty && recorder.completion == nil)
        }
    }

    @Test(.pins("RX-02")) func `a storage that cannot be added fails the publisher`() async throws {
        try await Backend.sqlite.withStore { _, store in
            let store = try #require(store as? SQLiteStore)
            let first = DataStack(CoreStoreSchema(modelVersion: "V1", entities: [Entity<OldDog>("Dog")]))
            try first.addStorageAndWait(store)
            first.unsafeRemoveAllPersistentStoresAndWait()
            let stack = DataStack(CoreStoreSchema(modelVersion: "V2", entities: [Entity<Dog>("Dog")]))
            let recorder = Recorder(stack.reactive.addStorage(SQLiteStore(fileURL: store.fileURL)))
            #expect(await recorder.failure() != nil)
            #expect(recorder.values.isEmpty)
        }
    }

    /// Receives one value for each request of the test.
    private final class Patient<Storage: LocalStorage>: Subscriber {
        typealias Input = MigrationProgress<Storage>
        typealias Failure = CoreStoreError

        private(set) var values: [Input] = []
        private(set) var completion: Subscribers.Completion<CoreStoreError>?
        private(set) var subscription: (any Subscription)?

        func receive(subscription: any Subscription) { self.subscription = subscription }

        func receive(_ input: Input) -> Subscribers.Demand {
            values.append(input)
            return .none
        }

        func receive(completion: Subscribers.Completion<CoreStoreError>) { self.completion = completion }
    }

    @Test(.pins("RX-02")) func `a subscriber that requests few values receives the storage before the completion`()
        async throws
    {
        try await Backend.sqlite.withStore { stack, store in
            let store = try #require(store as? SQLiteStore)
            let patient = Patient<SQLiteStore>()
            stack.reactive.addStorage(store).subscribe(patient)
            patient.subscription?.request(.max(1))
            // Storages are added one after the other, so the first one is known when the second one is added.
            _ = try await stack.async.addStorage(store)
            guard case .finished(let added, _)? = patient.values.last else { throw Dog.Refusal() }
            #expect(added === store && patient.values.count == 1)
            guard case .finished? = patient.completion else { throw Dog.Refusal() }
        }
    }

    @Test(.pins("RX-02"))
    func `a slow subscriber receives the newest progress of a migration, only when requested`()
        async throws
    {
        try await Backend.sqlite.withStore { _, store in
            let store = try #require(store as? SQLiteStore)
            let old = CoreStoreSchema(modelVersion: "V1", entities: [Entity<OldDog>("Dog")])
            let first = DataStack(old)
            try first.addStorageAndWait(store)
            try first.perform(synchronous: { transaction in
                for number in 0..<3_000 { transaction.create(Into<OldDog>()).number = number }
            })
            first.unsafeRemoveAllPersistentStoresAndWait()
            let new = CoreStoreSchema(modelVersion: "V2", entities: [Entity<Dog>("Dog")])
            let stack = DataStack(old, new, migrationChain: ["V1", "V2"])
            let patient = Patient<SQLiteStore>()
            let same = SQLiteStore(fileURL: store.fileURL)
            stack.reactive.addStorage(same).subscribe(patient)
            patient.subscription?.request(.max(1))
            _ = try await stack.async.addStorage(same)
            #expect(patient.values.count == 1 && patient.values[0].isCompleted == false && patient.completion == nil)
            patient.subscription?.request(.max(1))
            guard case .finished(_, migrationRequired: true)? = patient.values.last else { throw Dog.Refusal() }
            guard case .finished? = patient.completion else { throw Dog.Refusal() }
            #expect(patient.values.count == 2)
            stack.unsafeRemoveAllPersistentStoresAndWait()
        }
    }
}
