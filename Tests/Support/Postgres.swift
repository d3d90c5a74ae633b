public import CofferPostgreSQL
public import CofferStorage
public import Foundation

/// The server that tests run on: `scripts/postgres up` starts one.
public enum Postgres {
    /// Its URL; nil where there is none.
    public static var url: String? {
        ProcessInfo.processInfo.environment["COFFER_POSTGRES_URL"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The URL of a server that follows it, as `scripts/postgres replica` starts one; nil where there is none.
    public static var replicaURL: String? {
        ProcessInfo.processInfo.environment["COFFER_POSTGRES_REPLICA_URL"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// What a test says that is skipped without a server.
    public static let advice = "set COFFER_POSTGRES_URL, for instance to what scripts/postgres up prints"

    /// The name of a schema that nobody else uses.
    public static func newSchema() -> String { "test_\(UUID().uuidString.lowercased())" }

    private static let schemas = Locked<[URL: [String: String]]>([:])

    /// The store with a name that belongs to a directory; called again, another one at the same place.
    public static func store(
        _ name: String, in directory: URL, configuration: String? = nil, providers: [any SchemaMappingProvider] = [],
        settings: PostgreSQLConfiguration = PostgreSQLConfiguration()
    ) throws -> PostgreSQLStore {
        let schema = schemas.withLock { schemas in
            let schema = schemas[directory]?[name] ?? newSchema()
            schemas[directory, default: [:]][name] = schema
            return schema
        }
        return try store(schema, configuration: configuration, providers: providers, settings: settings)
    }

    /// Erases the stores that belong to a directory.
    ///
    /// One that a test still has open stays: the server goes with the tests.
    static func eraseStores(of directory: URL) {
        let names = schemas.withLock { $0.removeValue(forKey: directory) } ?? [:]
        for schema in names.values { try? store(schema, settings: .init(busyTimeLimit: 0.05)).erase() }
    }

    /// A store in a schema.
    public static func store(
        _ schema: String, configuration: String? = nil, providers: [any SchemaMappingProvider] = [],
        settings: PostgreSQLConfiguration = PostgreSQLConfiguration()
    ) throws -> PostgreSQLStore {
        guard let url else { throw CocoaError(.featureUnsupported) }
        return try PostgreSQLStore(
            url: url, schema: schema, configuration: configuration, migrationMappingProviders: providers,
            settings: settings)
    }
}
