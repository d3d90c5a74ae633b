import CofferCLibPQ
import CofferStorage

/// The address of a store: the connection options for libpq, the schema, and the errors for an unreadable address.
///
/// Descriptions and errors do not contain the password.
struct PostgreSQLAddress: Sendable, CustomStringConvertible, CustomReflectable {
    /// The connection string for libpq, which is secret.
    let connectionString: String
    /// The keywords of libpq that take precedence over the keywords of the string.
    let overrides: [String: String]
    let schema: String
    /// The name of the store in errors: the database, and the schema unless it is `public`.
    let name: String
    /// Whether the string or the environment sets the time limit for connecting.
    let hasConnectTimeout: Bool
    /// The seconds to wait for a connection.
    let connectTimeout: Double
    /// The options for libpq that the string, the environment or a service file does not set.
    private let defaults: [(String, String)]
    /// Whether the string or the environment sets the address of the host, and not only its name.
    let hasHostAddress: Bool
    /// The port, or one port for each host.
    let port: String
    /// The addresses of the replicas.
    var replicas: [PostgreSQLAddress] = []

    /// - Parameter connectionString: the connection string for libpq, without options of Coffer.
    init(
        libpq connectionString: String, _ overrides: [String: String], schema: String
    ) throws(StorageError) {
        if Self.hasPasswordInPlace(connectionString) { throw Self.unreadable }
        let known = try Self.known(connectionString).merging(overrides) { $1 }
        self.connectionString = connectionString
        self.overrides = overrides
        self.schema = schema
        if schema.isEmpty || schema.utf8.contains(0) { throw Self.noSchema }
        hasConnectTimeout = known["connect_timeout"] != nil
        // For libpq, 0 means no time limit. A check must have one.
        let seconds = known["connect_timeout"].flatMap { Double($0) } ?? 0
        connectTimeout = seconds > 0 ? max(seconds, 2) : 10
        defaults = Self.usualOptions.filter { known[$0.0] == nil }
        hasHostAddress = known["hostaddr"] != nil
        port = known["port"] ?? ""
        // An invalid port may be the beginning of a password.
        guard port.allSatisfy({ $0.isASCII && $0.isNumber || $0 == "," }) else { throw Self.unreadable }
        let database = known["dbname"] ?? known["user"] ?? "the user's database"
        let place = [known["host"] ?? known["hostaddr"], known["port"]].compactMap(\.self).joined(separator: ":")
        let suffix = self.schema == "public" ? "" : ".\(self.schema)"
        name = "\(database)\(suffix)" + (place.isEmpty ? "" : " at \(place)")
    }

    var description: String { name }
    var customMirror: Mirror { Mirror(self, children: ["name": name]) }

    private static let unreadable = StorageError(
        .unavailable,
        "The address of the PostgreSQL database cannot be read. Give a URL like postgresql://user@host/database with "
            + "'/', '?', '@' and '%' in a password as %2F, %3F, %40 and %25, or a string of libpq's keywords."
    )

    private static let noSchema = StorageError(
        .invalidConfiguration,
        "The name of the PostgreSQL schema is empty or contains a NUL. Give another name, as in 'schema=app', or no "
            + "name for 'public'.")

    /// The schemes of the URLs that libpq reads.
    static let urlSchemes = ["postgresql", "postgres"]

    /// Whether a string is a URL and not a list of keywords.
    static func isURL(_ text: String) -> Bool { urlSchemes.contains { text.hasPrefix("\($0)://") } }

    /// Whether libpq would read a part of a password as the host or the database.
    ///
    /// For libpq, the password ends at the first '@' or '/'.
    private static func hasPasswordInPlace(_ text: String) -> Bool {
        guard isURL(text) else { return false }
        let place = text.drop { $0 != "/" }.dropFirst(2)
        let rest = place.drop { $0 != "@" && $0 != "/" }
        return (rest.first == "@" ? rest.dropFirst() : place).prefix { $0 != "?" }.contains("@")
    }

    /// The options with which libpq connects.
    var options: [(String, String)] {
        [("dbname", connectionString), ("client_encoding", "UTF8"), ("fallback_application_name", "coffer")]
            + defaults + overrides.map { ($0.key, $0.value) }
    }

    /// The default options, with which a lost connection is noticed within minutes and not within hours.
    ///
    /// Older versions of libpq do not know all of these options. The last time limit is longer than any server should
    /// need to read the data that were sent.
    private static let usualOptions: [(String, String)] = {
        let wanted = [
            ("connect_timeout", "10"), ("keepalives_idle", "30"), ("keepalives_interval", "10"),
            ("keepalives_count", "3"), ("tcp_user_timeout", "120000"),
        ]
        let known = Set(PostgreSQLLibrary.keywords.map(\.name))
        return wanted.filter { known.contains($0.0) }
    }()

    /// Returns the settings that libpq reads from the string, or else from the environment, without passwords.
    private static func known(_ text: String) throws(StorageError) -> [String: String] {
        var known: [String: String] = [:]
        func read(_ options: UnsafeMutablePointer<PQconninfoOption>) {
            defer { PQconninfoFree(options) }
            var option = options
            while let keyword = option.pointee.keyword {
                let name = String(cString: keyword)
                if name != "password", let value = option.pointee.val, value.pointee != 0, known[name] == nil {
                    known[name] = String(cString: value)
                }
                option += 1
            }
        }
        var words: UnsafeMutablePointer<CChar>?
        // The message of libpq is discarded, because it may quote a part of the string.
        defer { PQfreemem(words) }
        guard let parsed = PQconninfoParse(text, &words) else { throw unreadable }
        read(parsed)
        if let defaults = PQconndefaults() { read(defaults) }
        return known
    }
}
