import Foundation

/// The server that the peers on PostgreSQL share, where there is one.
enum PostgreSQLServer {
    /// Its URL; nil where there is none.
    static let url = ProcessInfo.processInfo.environment["COFFER_POSTGRES_URL"].flatMap { $0.isEmpty ? nil : $0 }

    /// The schema that a peer keeps its data in: another one for its warm-up.
    static func schema(of peer: String, in directory: URL) -> String {
        "bench_\(peer.replacingOccurrences(of: "-", with: "_"))_"
            + directory.lastPathComponent.replacingOccurrences(of: "-", with: "_")
    }

    /// Session settings that make no difference between peers, and less between runs.
    static let options = "options=-c%20jit%3Doff%20-c%20max_parallel_workers_per_gather%3D0"

    /// The URL with the settings.
    static func connectionURL() throws -> String {
        guard let url else { throw BenchmarkError("There is no server. Set COFFER_POSTGRES_URL.") }
        return url + (url.contains("?") ? "&" : "?") + options
    }

    /// Analyzes the tables of a schema.
    ///
    /// Coffer lets the server analyze a table after a large commit, and does not wait for it. This also waits for that.
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
