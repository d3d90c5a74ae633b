import CofferStorage
import CofferStorageTools

/// Parses the URL of a store: the values and ranges of Coffer's options, and the connection string for libpq.
struct PostgreSQLURLOptions {
    /// The connection string for libpq without the options of Coffer, which is secret.
    let connectionString: String
    let schema: String?
    /// The name of the subset of the entities to keep.
    let configuration: ModelConfiguration
    let replicas: [String]?
    /// The reader of the options; nil for a string of libpq's keywords, which has no options of Coffer.
    private let reader: StorageOptionReader?

    /// - Throws: `invalidConfiguration` for an unknown option or a wrong value.
    init(_ text: String) throws(StorageError) {
        guard PostgreSQLAddress.isURL(text) else {
            (connectionString, schema, configuration, replicas, reader) = (text, nil, nil, nil, nil)
            return
        }
        let url = try StorageURL(text)
        let reader = try StorageOptionReader(url, known: PostgreSQLStore.urlOptions)
        connectionString = url.without(PostgreSQLStore.ownOptions.map(\.name)).text
        schema = reader.string("schema")
        guard schema != "" else { throw .invalidConfiguration("The option 'schema' should be the name of a schema.") }
        configuration = reader.string("configuration")
        for (name, values) in Self.libpqValues {
            guard let value = reader.string(name), !value.isEmpty, !values.contains(value) else { continue }
            let listed = values.dropLast().joined(separator: ", ") + " or " + (values.last ?? "")
            throw .invalidConfiguration("The option '\(name)' should be \(listed).")
        }
        replicas = try Self.replicas(reader)
        self.reader = reader
    }

    /// The values of options of libpq whose own error does not list them.
    private static let libpqValues = [
        ("sslmode", ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"]),
        ("target_session_attrs", ["any", "read-write", "read-only", "primary", "standby", "prefer-standby"]),
        ("channel_binding", ["disable", "prefer", "require"]),
        ("gssencmode", ["disable", "prefer", "require"]),
    ]

    /// Returns some settings, with the changes of the URL.
    func settings(_ settings: PostgreSQLConfiguration) throws(StorageError) -> PostgreSQLConfiguration {
        guard let reader else { return settings }
        var settings = settings
        settings.connectionLimit = try reader.integer("pool", in: 1...10_000) ?? settings.connectionLimit
        settings.idleReaders = try reader.integer("readers", in: 0...10_000) ?? settings.idleReaders
        settings.busyTimeLimit = try reader.seconds("timeout") ?? settings.busyTimeLimit
        settings.statementTimeLimit = try reader.seconds("statement-timeout") ?? settings.statementTimeLimit
        settings.idleTimeLimit = try reader.seconds("idle-timeout") ?? settings.idleTimeLimit
        if let seconds = try reader.seconds("server-check") {
            settings.serverCheckInterval = seconds > 0 ? seconds : nil
        }
        settings.replicas = replicas ?? settings.replicas
        settings.replicaTimeLimit = try reader.seconds("replica-timeout") ?? settings.replicaTimeLimit
        settings.keepsStatements = try reader.flag("prepare") ?? settings.keepsStatements
        return settings
    }

    private static func replicas(_ reader: StorageOptionReader) throws(StorageError) -> [String]? {
        guard let text = reader.string("replicas") else { return nil }
        let places = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard places.allSatisfy({ PostgreSQLAddress.hostAndPort($0) != nil }) else {
            throw .invalidConfiguration(
                "The option 'replicas' should be hosts, each as host or host:port, separated by commas.")
        }
        return places
    }
}
