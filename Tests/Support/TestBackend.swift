public import Coffer
import CofferInMemory
import CofferSQLite
public import CofferStorage
public import Dispatch
public import Foundation
public import Testing

/// The backends on which every rule of the API is tested.
public enum TestBackend: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case memory
    case sqlite
    case postgresql

    /// All backends; PostgreSQL only if a server is configured.
    public static var allCases: [TestBackend] { [.memory] + persistent }
    /// The backends with persistent data.
    public static var persistent: [TestBackend] { [.sqlite] + (Postgres.url == nil ? [] : [.postgresql]) }

    public var testDescription: String { rawValue }

    /// Returns a store with a name, at a place that belongs to the directory.
    ///
    /// ``TestStack/remove(_:)`` removes the store.
    public func makeStore(
        _ name: String, in directory: URL, configuration: String? = nil
    ) throws -> any StorageInterface {
        switch self {
        case .memory: InMemoryStore(configuration: configuration)
        case .sqlite: SQLiteStore(fileURL: directory.appending(path: "\(name).sqlite"), configuration: configuration)
        case .postgresql: try Postgres.store(name, in: directory, configuration: configuration)
        }
    }
}

/// A data stack with a new store, whose place is removed with the stack.
public final class TestStack: Sendable {
    public let backend: TestBackend
    public let stack: DataStack
    /// The directory of the store's file, and of other files of the test.
    public let directory: URL

    /// Creates a stack with one store; the default view queue is the main queue.
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
        Self.remove(directory)
    }

    /// The description of the store in errors.
    public var storeDescription: String {
        (try? backend.makeStore("default", in: directory))?.storeDescription ?? ""
    }

    /// Adds another store of the backend to the stack.
    public func addStore(configuration: String?) throws {
        try Self.addStore(backend, to: stack, in: directory, configuration: configuration)
    }

    /// Adds a store of a backend to any stack.
    public static func addStore(
        _ backend: TestBackend, to stack: DataStack, in directory: URL, configuration: String? = nil
    ) throws {
        try add(backend.makeStore(configuration ?? "default", in: directory, configuration: configuration), to: stack)
    }

    /// Adds a store to a stack; local stores have a separate method.
    public static func add(_ store: any StorageInterface, to stack: DataStack) throws {
        if let local = store as? SQLiteStore {
            try stack.addStorageAndWait(local)
        } else {
            try stack.addStorageAndWait(store)
        }
    }

    /// Creates a new empty directory.
    public static func makeDirectory() throws -> URL { try TemporaryDirectory.make() }

    /// Removes a directory, and the data of its stores at other places.
    public static func remove(_ directory: URL) {
        Postgres.eraseStores(of: directory)
        try? FileManager.default.removeItem(at: directory)
    }
}
