public import Coffer
import CofferInMemory
import CofferSQLite
public import Dispatch
public import Foundation
public import Testing

/// The backends that every rule of the API is tested on.
public enum TestBackend: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case memory
    case sqlite

    public var testDescription: String { rawValue }
}

/// A data stack on a store of its own, in a place of its own that is removed with it.
public final class TestStack: Sendable {
    public let backend: TestBackend
    public let stack: DataStack
    /// The directory of the store's file, and of whatever else the test wants to put there.
    public let directory: URL

    /// A stack with one store. Its view queue is the main queue unless another is given.
    public init(
        _ backend: TestBackend, _ schema: CoreStoreSchema, viewQueue: DispatchQueue = .main
    ) throws {
        self.backend = backend
        directory = try Self.makeDirectory()
        stack = DataStack(schema, viewQueue: viewQueue)
        try Self.addStore(backend, to: stack, in: directory)
    }

    deinit {
        stack.unsafeRemoveAllPersistentStoresAndWait()
        try? FileManager.default.removeItem(at: directory)
    }

    /// How errors name the store.
    public var storeDescription: String { backend == .memory ? "InMemoryStore" : "SQLiteStore 'default.sqlite'" }

    /// Adds another store of the backend to the stack.
    public func addStore(configuration: String?) throws {
        try Self.addStore(backend, to: stack, in: directory, configuration: configuration)
    }

    /// Adds a store of a backend to any stack.
    public static func addStore(
        _ backend: TestBackend, to stack: DataStack, in directory: URL, configuration: String? = nil
    ) throws {
        switch backend {
        case .memory: try stack.addStorageAndWait(InMemoryStore(configuration: configuration))
        case .sqlite:
            let url = directory.appending(path: "\(configuration ?? "default").sqlite")
            try stack.addStorageAndWait(SQLiteStore(fileURL: url, configuration: configuration))
        }
    }

    /// A new empty directory.
    public static func makeDirectory() throws -> URL { try TemporaryDirectory.make() }
}
