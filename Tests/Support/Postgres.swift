public import CofferPostgreSQL
public import CofferStorage
public import Foundation

/// The server for tests, which `scripts/postgres up` starts.
public enum Postgres {
    /// The URL of the server; nil if there is no server.
    public static var url: String? {
        ProcessInfo.processInfo.environment["COFFER_POSTGRES_URL"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The URL of a replica, such as `scripts/postgres replica` starts; nil if there is no replica.
    public static var replicaURL: String? {
        ProcessInfo.processInfo.environment["COFFER_POSTGRES_REPLICA_URL"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The reason for skipping a test without a server.
    public static let advice = "set COFFER_POSTGRES_URL, for instance to the URL that scripts/postgres up prints"

    /// Returns a new schema name that no other test uses.
    public static func newSchema() -> String { "test_\(UUID().uuidString.lowercased())" }

    private static let schemas = Locked<[URL: [String: String]]>([:])

    /// Returns the store with a name that belongs to a directory.
    ///
    /// A second call returns another store object at the same place.
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
    /// A store that a test still has open is not erased; it is removed with the server after the tests.
    static func eraseStores(of directory: URL) {
        let names = schemas.withLock { $0.removeValue(forKey: directory) } ?? [:]
        for schema in names.values { try? store(schema, settings: .init(busyTimeLimit: 0.05)).erase() }
    }

    /// Returns a store in a schema.
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
