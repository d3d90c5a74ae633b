public import Coffer
import CofferInMemory
import CofferSQLite
public import CofferStorage
public import Dispatch
public import Foundation
public import Testing

/// The backends that every rule of the API is tested on.
public enum TestBackend: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case memory
    case sqlite
    case postgresql

    /// All of them; PostgreSQL where a server is known.
    public static var allCases: [TestBackend] { [.memory] + persistent }
    /// Those whose data outlive a store.
    public static var persistent: [TestBackend] { [.sqlite] + (Postgres.url == nil ? [] : [.postgresql]) }

    public var testDescription: String { rawValue }

    /// A store with a name, in a place that belongs to the directory: ``TestStack/remove(_:)`` removes it.
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
        Self.remove(directory)
    }

    /// How errors name the store.
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

    /// Adds a store to a stack as what it is: a local one has a way of its own.
    public static func add(_ store: any StorageInterface, to stack: DataStack) throws {
        if let local = store as? SQLiteStore {
            try stack.addStorageAndWait(local)
        } else {
            try stack.addStorageAndWait(store)
        }
    }

    /// A new empty directory.
    public static func makeDirectory() throws -> URL { try TemporaryDirectory.make() }

    /// Removes a directory, and what of its stores is elsewhere.
    public static func remove(_ directory: URL) {
        Postgres.eraseStores(of: directory)
        try? FileManager.default.removeItem(at: directory)
    }
}
