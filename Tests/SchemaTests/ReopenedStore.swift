import Coffer
import CofferInMemory
import CofferSQLite
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
        switch backend {
        case .memory:
            let store = InMemoryStore()
            try before.addStorageAndWait(store)
            try before.perform(synchronous: body)
            before.unsafeRemoveAllPersistentStoresAndWait()
            try stack.addStorageAndWait(store)
        case .sqlite:
            let url = directory.appending(path: "reopened.sqlite")
            try before.addStorageAndWait(SQLiteStore(fileURL: url))
            try before.perform(synchronous: body)
            before.unsafeRemoveAllPersistentStoresAndWait()
            try stack.addStorageAndWait(SQLiteStore(fileURL: url))
        }
    }

    deinit {
        stack.unsafeRemoveAllPersistentStoresAndWait()
        try? FileManager.default.removeItem(at: directory)
    }
}
