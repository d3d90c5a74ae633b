public import Coffer
public import Dispatch
import Foundation

/// A data stack with a new ``ProbedStore``, whose place is removed with the stack.
public final class ProbedStack: Sendable {
    public let stack: DataStack
    public let store: ProbedStore
    private let directory: URL

    public init(_ backend: TestBackend, _ schema: CoreStoreSchema, viewQueue: DispatchQueue = .main) throws {
        directory = try TestStack.makeDirectory()
        stack = DataStack(schema, viewQueue: viewQueue)
        store = ProbedStore(try backend.makeStore("probed", in: directory))
        try stack.addStorageAndWait(store)
    }

    deinit {
        stack.unsafeRemoveAllPersistentStoresAndWait()
        TestStack.remove(directory)
    }
}
