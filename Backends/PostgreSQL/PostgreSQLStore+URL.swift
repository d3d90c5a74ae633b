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
        StorageOption("schema", "the schema of the database that contains the tables"),
        StorageOption("pool", "the maximum number of connections for reading"),
        StorageOption("readers", "the number of idle connections for reading that stay open"),
        StorageOption("replicas", "additional servers for reading, each as host or host:port, separated by commas"),
        StorageOption("replica-timeout", "the seconds to wait for a replica that is behind"),
        StorageOption("timeout", "the seconds to wait for rows that another writer has locked"),
        StorageOption("statement-timeout", "the maximum time of one statement, in seconds"),
        StorageOption("idle-timeout", "the seconds that a reader may keep its snapshot without a request"),
        StorageOption(
            "server-check",
            "the seconds without an answer before a check of the server; 0 disables the check"),
        StorageOption("prepare", "false behind a pooler that assigns a connection to each transaction"),
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
