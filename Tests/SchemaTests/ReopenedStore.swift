import Coffer
import Foundation
import TestSupport

/// A store that is filled with one schema and opened with another one of the same hashes.
final class ReopenedStore: Sendable {
    let stack: DataStack
    private let directory: URL

    init(
        _ backend: TestBackend, _ first: CoreStoreSchema, _ second: CoreStoreSchema,
        filledBy body: (SynchronousDataTransaction) throws -> Void
    ) throws {
        directory = try TestStack.makeDirectory()
        stack = DataStack(second)
        let before = DataStack(first)
        let store = try backend.makeStore("reopened", in: directory)
        try TestStack.add(store, to: before)
        try before.perform(synchronous: body)
        before.unsafeRemoveAllPersistentStoresAndWait()
        // The data in memory is in the store itself. A new storage finds all other data.
        let again = backend == .memory ? store : try backend.makeStore("reopened", in: directory)
        try TestStack.add(again, to: stack)
    }

    deinit {
        stack.unsafeRemoveAllPersistentStoresAndWait()
        TestStack.remove(directory)
    }
}
