import Coffer
import CofferReactive
import CofferSQLite
import OpenCombineShim
import Testing

@MainActor
struct AddStorageTests {
    /// Adds any storage; a storage in a file gives its progress.
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

    @Test(arguments: Backend.all)
    func `RX-01 RX-02 a storage is added`(_ backend: Backend) async throws {
        try await backend.withStore { stack, store in
            try await add(store, to: stack)
            try stack.perform(synchronous: { _ = $0.create(Into<Dog>()) })
            #expect(try stack.fetchCount(From<Dog>()) == 1)
        }
    }

    @Test func `RX-02 a storage that is migrated gives its progress, then the storage, and completes`() async throws {
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

    @Test func `RX-02 a migration goes on although its subscription is cancelled`() async throws {
        try await Backend.sqlite.withStore { stack, store in
            let store = try #require(store as? SQLiteStore)
            let recorder = Recorder(stack.reactive.addStorage(store))
            recorder.cancel()
            // Storages are added one after the other: the first one is known when the second one is there.
            #expect(try await stack.async.addStorage(store) === store)
            #expect(recorder.values.isEmpty && recorder.completion == nil)
        }
    }

    @Test func `RX-02 a storage that cannot be added fails the publisher`() async throws {
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
}
