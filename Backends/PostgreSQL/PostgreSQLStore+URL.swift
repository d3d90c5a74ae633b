public import CofferStorage

/// Creates a store from a `postgresql://` URL; lists the names and descriptions of the options of such URLs.
extension PostgreSQLStore {
    /// The URL schemes of libpq.
    public static let urlSchemes = PostgreSQLAddress.urlSchemes
    /// The server, the user and the database, as in a URL of libpq.
    public static let urlExample = "postgresql://user@host/database"
    /// The options of ``PostgreSQLConfiguration``, the options of all stores, and the options of libpq.
    public static let urlOptions = ownOptions + libpqOptions

    static let ownOptions = [
        StorageOption.configuration,
        StorageOption("schema", "where in the database the tables are"),
        StorageOption("pool", "the most connections for reading"),
        StorageOption("readers", "the connections for reading that are kept open"),
        StorageOption("replicas", "servers to read from as well, each as host or host:port, with commas between"),
        StorageOption("replica-timeout", "the seconds to wait for a replica that is behind"),
        StorageOption("timeout", "the seconds to wait for rows that another writer holds"),
        StorageOption("statement-timeout", "the seconds that the server works on one statement at most"),
        StorageOption("idle-timeout", "the seconds that a reader may keep its snapshot without asking anything"),
        StorageOption(
            "server-check",
            "the seconds without an answer after which to ask whether the server is there, 0 never to ask"),
        StorageOption("prepare", "false behind a pooler that gives each transaction another connection"),
    ]

    /// The options of libpq, which reads `ssl` only in URLs, as other programs do.
    private static let libpqOptions =
        [StorageOption("ssl", "true for sslmode=require")]
        + PostgreSQLLibrary.keywords.map { StorageOption($0.name, "libpq's \($0.label)", isSecret: $0.isSecret) }

    /// Creates a store in the schema of the URL; the default schema is `public`.
    public static func make(_ url: StorageURL) throws(StorageError) -> PostgreSQLStore {
        try PostgreSQLStore(url: url.text)
    }
}
