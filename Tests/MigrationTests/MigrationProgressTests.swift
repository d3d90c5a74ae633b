import Coffer
import CofferSQLite
import Foundation
import TestSupport
import Testing

/// What is told of a migration while it runs.
@MainActor
struct MigrationProgressTests {
    private func place(_ count: Int = 5_000) throws -> Place {
        let place = try Place(.sqlite)
        try place.fill(V1.schema) { transaction in
            for number in 0..<count { transaction.create(Into<V1.Dog>()).name = "Dog \(number)" }
        }
        return place
    }

    private var stack: DataStack {
        DataStack(schemaHistory: [V1.schema, V2.schema, V3.schema])
    }

    @Test func `MIG-06 MIG-18 progress has a unit for each step, and tells of each change on the main queue`()
        async throws
    {
        let place = try place()
        var fractions: [Double] = []
        var places: Set<Bool> = []
        var progress: Progress?
        let stack = stack
        _ = MainQueue.isCurrent
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<SetupResult<SQLiteStore>, Never>) in
            progress = stack.addStorage(place.sqlite()) { continuation.resume(returning: $0) }
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
    }

    @Test func `MIG-06 a handler that is taken away is not called again`() async throws {
        let place = try place()
        var calls = 0
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<SetupResult<SQLiteStore>, Never>) in
            let progress = stack.addStorage(place.sqlite()) { continuation.resume(returning: $0) }
            progress?.setProgressHandler { _ in calls += 1 }
            progress?.setProgressHandler(nil)
        }
        #expect(throws: Never.self) { try result.get() }
        #expect(calls == 0)
    }

    @Test func `MIG-18 a migration that is cancelled leaves the store as it was`() async throws {
        let place = try place()
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<SetupResult<SQLiteStore>, Never>) in
            let progress = stack.addStorage(place.sqlite(.recreateStoreOnModelMismatch)) {
                continuation.resume(returning: $0)
            }
            progress?.cancel()
        }
        #expect(throws: CoreStoreError.userCancelled) { try result.get() }
        #expect(try place.sqlite().inspect()?.model.version == "V1")
    }

    @Test func `MIG-05 RX-02 adding a storage as a sequence`() async throws {
        let place = try place()
        var fractions: [Double] = []
        var last: MigrationProgress<SQLiteStore>?
        let stack = stack
        let store = place.sqlite()
        for try await progress in stack.async.addStorage(store) {
            if let last { #expect(!last.isCompleted) }
            fractions.append(progress.fractionCompleted)
            last = progress
        }
        guard case .finished(let added, let wasMigrated)? = last else {
            Issue.record("The last one should say that it is finished.")
            return
        }
        #expect(added === store && wasMigrated && last?.isCompleted == true)
        #expect(fractions.count > 2 && fractions.last == 1)

        var seen: [Bool] = []
        for try await progress in stack.async.addStorage(store) { seen.append(progress.isCompleted) }
        #expect(seen == [true])
        await #expect(throws: CoreStoreError.self) {
            for try await _ in DataStack(V1.schema).async.addStorage(place.sqlite()) {}
        }
    }
}
