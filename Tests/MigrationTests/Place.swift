import Coffer
import CofferInMemory
import CofferPostgreSQL
import CofferSQLite
import Dispatch
import Foundation
import TestSupport

/// A check for the main queue, which on Linux does not always run on the main thread.
enum MainQueue {
    private static let key = DispatchSpecificKey<Bool>()
    private static let isMarked: Bool = {
        DispatchQueue.main.setSpecific(key: key, value: true)
        return true
    }()

    static var isCurrent: Bool { isMarked && DispatchQueue.getSpecific(key: key) == true }
}

/// A store that several data stacks use in turn, each with another version of the model.
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

    /// The description of the store in errors.
    var storeDescription: String { (try? makeStore())?.storeDescription ?? "" }

    /// Returns the store, or another store object at the same place if the data are persistent.
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

    /// Opens or creates the store, and makes changes in a transaction.
    func fill(_ schema: CoreStoreSchema, _ body: (SynchronousDataTransaction) throws -> Void) throws {
        let stack = DataStack(schema)
        try TestStack.add(makeStore(), to: stack)
        try stack.perform(synchronous: { try body($0) })
        stack.unsafeRemoveAllPersistentStoresAndWait()
    }

    /// Returns a stack with the migrated store.
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

    /// Returns the error that is thrown when the store is added.
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
