import Foundation

/// The server that the peers on PostgreSQL share, if there is one.
enum PostgreSQLServer {
    /// The URL of the server; nil if there is no server.
    static let url = ProcessInfo.processInfo.environment["COFFER_POSTGRES_URL"].flatMap { $0.isEmpty ? nil : $0 }

    /// Returns the name of the schema for the data of a peer; the warm-up uses another schema.
    static func schema(of peer: String, in directory: URL) -> String {
        "bench_\(peer.replacingOccurrences(of: "-", with: "_"))_"
            + directory.lastPathComponent.replacingOccurrences(of: "-", with: "_")
    }

    /// Session settings that do not favour a peer, and reduce the differences between runs.
    static let options = "options=-c%20jit%3Doff%20-c%20max_parallel_workers_per_gather%3D0"

    /// Returns the URL with the session settings.
    static func connectionURL() throws -> String {
        guard let url else { throw BenchmarkError("There is no server. Set COFFER_POSTGRES_URL.") }
        return url + (url.contains("?") ? "&" : "?") + options
    }

    /// Analyzes the tables of a schema.
    ///
    /// After a large commit, Coffer lets the server analyze a table, and does not wait. This method also waits for
    /// that analysis.
    static func analyze(_ schema: String) throws {
        try LibPQConnection(url: connectionURL()).execute(
            """
            DO $$DECLARE name text; BEGIN
            FOR name IN SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) FROM pg_tables
                WHERE schemaname = '\(schema)' LOOP
                EXECUTE 'ANALYZE ' || name;
            END LOOP; END$$
            """)
    }
}
