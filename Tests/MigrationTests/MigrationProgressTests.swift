import Coffer
import CofferPostgreSQL
import CofferSQLite
import CofferStorage
import Dispatch
import Foundation
import TestSupport
import Testing

/// The progress that a migration reports while it runs.
@MainActor
struct MigrationProgressTests {
    private func place(_ backend: TestBackend, _ providers: [any SchemaMappingProvider] = []) throws -> Place {
        let place = try Place(backend, providers)
        try place.fill(V1.schema) { transaction in
            for number in 0..<5_000 { transaction.create(Into<V1.Dog>()).name = "Dog \(number)" }
        }
        return place
    }

    private var stack: DataStack {
        DataStack(schemaHistory: [V1.schema, V2.schema, V3.schema])
    }

    /// Adds a store, and calls the closure with the progress before the migration has ended.
    private func add(
        _ store: some StorageInterface, to stack: DataStack, _ body: (Progress?) -> Void
    ) async -> Result<any StorageInterface, CoreStoreError> {
        await withCheckedContinuation { continuation in
            body(stack.addStorage(store) { continuation.resume(returning: $0.map { $0 }) })
        }
    }

    @Test(.pins("MIG-06", "MIG-18"), arguments: TestBackend.allCases)
    func `progress has a unit for each step and calls its handler on the main queue`(
        _ backend: TestBackend
    ) async throws {
        let place = try place(backend)
        var fractions: [Double] = []
        var places: Set<Bool> = []
        var progress: Progress?
        let stack = stack
        _ = MainQueue.isCurrent
        let result = await add(try place.makeStore(), to: stack) {
            progress = $0
            progress?.setProgressHandler { progress in
                places.insert(MainQueue.isCurrent)
                fractions.append(progress.fractionCompleted)
            }
        }
        #expect(throws: Never.self) { try result.get() }
        #expect(places == [true])
        #expect(progress?.totalUnitCount == 2 && progress?.fractionCompleted == 1)
        #expect(fractions == fractions.sorted() && fractions.last == 1 && Set(fractions).count > 2)
        #expect(fractions.contains(0.5))
        // Each of the two steps has 100 units.
        #expect(fractions.allSatisfy { abs($0 * 200 - ($0 * 200).rounded()) < 0.001 })
    }

    @Test(.pins("MIG-06"), arguments: TestBackend.allCases)
    func `a removed progress handler is not called`(_ backend: TestBackend) async throws {
        let place = try place(backend)
        var calls = 0
        let result = await add(try place.makeStore(), to: stack) { progress in
            progress?.setProgressHandler { _ in calls += 1 }
            progress?.setProgressHandler(nil)
        }
        #expect(throws: Never.self) { try result.get() }
        #expect(calls == 0)
    }

    @Test(.pins("MIG-06")) func `the handler of a progress that belongs to no data stack is not called`() {
        let progress = Progress(totalUnitCount: 2)
        var calls = 0
        progress.setProgressHandler { _ in calls += 1 }
        progress.completedUnitCount = 1
        #expect(calls == 0)
    }

    @Test(.pins("MIG-18"), arguments: TestBackend.allCases)
    func `a cancelled migration leaves the store unchanged`(_ backend: TestBackend) async throws {
        // The first row waits until the migration is cancelled.
        let isCancelled = DispatchSemaphore(value: 0)
        let waiting = CustomSchemaMappingProvider(
            from: "V1", to: "V2",
            entityMappings: [
                .transformEntity(
                    sourceEntity: "Dog", destinationEntity: "Dog",
                    transformer: { source, create in
                        isCancelled.wait()
                        isCancelled.signal()
                        try CustomSchemaMappingProvider.CustomMapping.inferredTransformation(source, create)
                    })
            ])
        let place = try place(backend, [waiting])
        let store: any StorageInterface =
            backend == .sqlite ? place.sqlite(.recreateStoreOnModelMismatch) : try place.makeStore()
        let result = await add(store, to: stack) { progress in
            #expect(progress != nil)
            progress?.cancel()
            isCancelled.signal()
        }
        #expect(throws: CoreStoreError.userCancelled) { try result.get() }
        #expect(try place.makeStore().inspect()?.model.version == "V1")
    }

    @Test(.pins("MIG-05", "RX-02"), arguments: TestBackend.persistent)
    func `addStorage as a sequence reports progress and ends with the storage`(_ backend: TestBackend) async throws {
        let place = try place(backend)
        switch backend {
        case .memory: break
        case .sqlite: try await check { place.sqlite() }
        case .postgresql: try await check { try place.postgresql() }
        }
    }

    private func check<Store: StorageInterface>(_ makeStore: () throws -> Store) async throws {
        let store = try makeStore()
        var fractions: [Double] = []
        var last: MigrationProgress<Store>?
        let stack = stack
        for try await progress in stack.async.addStorage(store) {
            if let last { #expect(!last.isCompleted) }
            fractions.append(progress.fractionCompleted)
            last = progress
        }
        guard case .finished(let added, let wasMigrated)? = last else {
            Issue.record("The last progress should be 'finished'.")
            return
        }
        #expect(added === store && wasMigrated && last?.isCompleted == true)
        #expect(fractions.count > 2 && fractions.last == 1)

        var seen: [Bool] = []
        for try await progress in stack.async.addStorage(store) { seen.append(progress.isCompleted) }
        #expect(seen == [true])
        let again = try makeStore()
        await #expect(throws: CoreStoreError.self) {
            for try await _ in DataStack(V1.schema).async.addStorage(again) {}
        }
    }
}
