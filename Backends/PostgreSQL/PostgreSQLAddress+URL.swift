import CofferStorage

/// Creates an address from the URL or connection string of a store, with its schema and replicas.
extension PostgreSQLAddress {
    /// - Parameters:
    ///   - text: a `postgresql://` URL, a string of keywords, or an empty string; libpq adds the settings of the
    ///     environment.
    ///   - schema: the schema, which takes precedence over the schema of the URL.
    ///   - replicas: the replicas as `host` or `host:port`, or in any form of `text`; the replicas of the URL take
    ///     precedence.
    init(_ text: String, schema: String?, replicas: [String] = []) throws(StorageError) {
        try self.init(PostgreSQLURLOptions(text), schema: schema, replicas: replicas)
    }

    /// - Throws: `unavailable`, without the string, because it may contain a password.
    init(_ options: PostgreSQLURLOptions, schema: String?, replicas: [String]) throws(StorageError) {
        try self.init(libpq: options.connectionString, [:], schema: schema ?? options.schema ?? "public")
        for place in options.replicas ?? replicas { self.replicas.append(try replica(place)) }
    }
}
