import CofferStorage

/// Creates an address from the URL or connection string of a store, with its schema and replicas.
extension PostgreSQLAddress {
    /// - Parameters:
    ///   - text: a `postgresql://` URL, a string of keywords, or nothing; libpq adds what the environment says.
    ///   - schema: wins over that of the URL.
    ///   - replicas: `host` or `host:port`, or all that `text` may be; where the URL names some, those.
    init(_ text: String, schema: String?, replicas: [String] = []) throws(StorageError) {
        try self.init(PostgreSQLURLOptions(text), schema: schema, replicas: replicas)
    }

    /// - Throws: `unavailable`, without the string: a password may be in it.
    init(_ options: PostgreSQLURLOptions, schema: String?, replicas: [String]) throws(StorageError) {
        try self.init(libpq: options.connectionString, [:], schema: schema ?? options.schema ?? "public")
        for place in options.replicas ?? replicas { self.replicas.append(try replica(place)) }
    }
}
