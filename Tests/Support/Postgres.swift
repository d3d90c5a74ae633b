public import CofferPostgreSQL
import Foundation

/// The server that tests run on: `scripts/postgres up` starts one.
public enum Postgres {
    /// Its URL; nil where there is none.
    public static var url: String? {
        ProcessInfo.processInfo.environment["COFFER_POSTGRES_URL"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// What a test says that is skipped without a server.
    public static let advice = "set COFFER_POSTGRES_URL, for instance to what scripts/postgres up prints"

    /// The name of a schema that nobody else uses.
    public static func newSchema() -> String { "test_\(UUID().uuidString.lowercased())" }

    /// A store in a schema.
    public static func store(
        _ schema: String, configuration: String? = nil, settings: PostgreSQLConfiguration = PostgreSQLConfiguration()
    ) throws -> PostgreSQLStore {
        guard let url else { throw CocoaError(.featureUnsupported) }
        return try PostgreSQLStore(url: url, schema: schema, configuration: configuration, settings: settings)
    }
}
