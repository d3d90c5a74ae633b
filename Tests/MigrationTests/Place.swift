import Coffer
import CofferInMemory
import CofferPostgreSQL
import CofferSQLite
import Dispatch
import Foundation
import TestSupport

/// Tells the main queue, which on Linux need not be on the main thread.
enum MainQueue {
    private static let key = DispatchSpecificKey<Bool>()
    private static let isMarked: Bool = {
        DispatchQueue.main.setSpecific(key: key, value: true)
        return true
    }()

    static var isCurrent: Bool { isMarked && DispatchQueue.getSpecific(key: key) == true }
}

/// A store that one data stack after the other uses, each with another version of the model.
@MainActor
final class Place {
    let backend: TestBackend
    let providers: [any SchemaMappingProvider]
    let memory: InMemoryStore
    let directory: URL

    init(_ backend: TestBackend, _ providers: [any SchemaMappingProvider] = []) throws {
        self.backend = backend
        self.providers = providers
        memory = InMemoryStore(migrationMappingProviders: providers)
        directory = try TestStack.makeDirectory()
    }

    deinit { TestStack.remove(directory) }

    var file: URL { directory.appending(path: "store.sqlite") }

    /// How errors name the store.
    var storeDescription: String { (try? makeStore())?.storeDescription ?? "" }

    /// The store; another one at the same place where its data outlive it.
    func makeStore() throws -> any StorageInterface {
        switch backend {
        case .memory: memory
        case .sqlite: sqlite()
        case .postgresql: try postgresql()
        }
    }

    func postgresql(_ settings: PostgreSQLConfiguration = PostgreSQLConfiguration()) throws -> PostgreSQLStore {
        try Postgres.store("store", in: directory, providers: providers, settings: settings)
    }

    func sqlite(_ options: LocalStorageOptions = nil) -> SQLiteStore {
        SQLiteStore(fileURL: file, migrationMappingProviders: providers, localStorageOptions: options)
    }

    /// Makes the store, or opens it, and changes something.
    func fill(_ schema: CoreStoreSchema, _ body: (SynchronousDataTransaction) throws -> Void) throws {
        let stack = DataStack(schema)
        try TestStack.add(makeStore(), to: stack)
        try stack.perform(synchronous: { try body($0) })
        stack.unsafeRemoveAllPersistentStoresAndWait()
    }

    /// A stack with the store, migrated.
    func stack(_ schemas: CoreStoreSchema..., chain: MigrationChain? = nil) async throws -> DataStack {
        let chain = chain ?? MigrationChain(schemas.map(\.modelVersion))
        let stack = DataStack(schemaHistory: SchemaHistory(allSchema: schemas, migrationChain: chain))
        try await add(to: stack)
        return stack
    }

    func add(to stack: DataStack) async throws {
        switch backend {
        case .memory: let _: InMemoryStore = try await stack.async.addStorage(memory)
        case .sqlite: let _: SQLiteStore = try await stack.async.addStorage(sqlite())
        case .postgresql: let _: PostgreSQLStore = try await stack.async.addStorage(postgresql())
        }
    }

    /// The error that adding the store throws.
    func failure(_ schemas: CoreStoreSchema..., chain: MigrationChain? = nil) async -> CoreStoreError? {
        let chain = chain ?? MigrationChain(schemas.map(\.modelVersion))
        let stack = DataStack(schemaHistory: SchemaHistory(allSchema: schemas, migrationChain: chain))
        do {
            try await add(to: stack)
            stack.unsafeRemoveAllPersistentStoresAndWait()
            return nil
        } catch {
            return error as? CoreStoreError
        }
    }
}
