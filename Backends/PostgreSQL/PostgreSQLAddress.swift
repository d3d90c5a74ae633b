import CLibPQ
import CofferStorage
import Foundation

/// Where a store is: the server and database as libpq reads them, and a schema.
///
/// Whatever is shown of it has no password.
struct PostgreSQLAddress: Sendable, CustomStringConvertible, CustomReflectable {
    /// What libpq connects with.
    ///
    /// Secret.
    let connectionString: String
    /// Keywords of libpq's that win over those of the string.
    let overrides: [String: String]
    let schema: String
    /// What errors call the store: the database, and the schema unless it is the usual one.
    let name: String
    /// The most connections for reading, where the URL says so.
    let connectionLimit: Int?
    /// Whether the string or the environment says how long to wait for a connection.
    let hasConnectTimeout: Bool
    /// Whether the string or the environment says more than a name of where the server is.
    let hasHostAddress: Bool
    /// One, or one for each host.
    let port: String
    /// Where its copies are.
    private(set) var replicas: [PostgreSQLAddress] = []

    /// - Parameters:
    ///   - url: a `postgresql://` URL, a string of keywords, or nothing; libpq adds what the environment says.
    ///   - replicas: `host` or `host:port`, or all that `url` may be; where the URL names some, those.
    /// - Throws: `unavailable`, without the string: a password may be in it.
    init(_ url: String, schema: String?, replicas: [String] = []) throws(StorageError) {
        var options = PostgreSQLOptions(url)
        let named = options.take("replicas").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        try self.init(
            libpq: options.rest, [:], schema: schema ?? options.take("schema") ?? "public",
            connectionLimit: options.take("pool").flatMap { Int($0) }.map { max(1, $0) })
        if options.isDamaged { throw Self.unreadable }
        for place in named?.map(String.init) ?? replicas { self.replicas.append(try replica(place)) }
    }

    /// - Parameter connectionString: what libpq reads, without options of ours.
    init(
        libpq connectionString: String, _ overrides: [String: String], schema: String, connectionLimit: Int?
    ) throws(StorageError) {
        let known = try Self.known(connectionString).merging(overrides) { $1 }
        self.connectionString = connectionString
        self.overrides = overrides
        self.schema = schema
        self.connectionLimit = connectionLimit
        if schema.isEmpty { throw Self.unreadable }
        hasConnectTimeout = known["connect_timeout"] != nil
        hasHostAddress = known["hostaddr"] != nil
        port = known["port"] ?? ""
        let database = known["dbname"] ?? known["user"] ?? "the user's database"
        let place = [known["host"] ?? known["hostaddr"], known["port"]].compactMap(\.self).joined(separator: ":")
        let suffix = self.schema == "public" ? "" : ".\(self.schema)"
        name = "\(database)\(suffix)" + (place.isEmpty ? "" : " at \(place)")
    }

    var description: String { name }
    var customMirror: Mirror { Mirror(self, children: ["name": name]) }

    private static let unreadable = StorageError(
        .unavailable,
        "The address of the PostgreSQL database cannot be read. Give a URL like "
            + "postgresql://user@host/database?schema=name with options that libpq knows, 'schema', 'pool' or "
            + "'replicas', or a string of libpq's keywords."
    )

    /// What libpq knows without connecting, but for passwords: from the string, else from the environment.
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
        // libpq's words are not passed on: they may quote a part of the string.
        defer { PQfreemem(words) }
        guard let parsed = PQconninfoParse(text, &words) else { throw unreadable }
        read(parsed)
        if let defaults = PQconndefaults() { read(defaults) }
        return known
    }
}

/// The options at the end of a URL that are ours, taken from those that are libpq's.
struct PostgreSQLOptions {
    private static let own: Set<String> = ["schema", "pool", "replicas"]

    /// The URL without our options.
    private(set) var rest: String
    /// Whether an option is given twice, or without a value that can be read.
    private(set) var isDamaged = false
    private var values: [String: String] = [:]

    init(_ url: String) {
        rest = url
        guard url.hasPrefix("postgresql://") || url.hasPrefix("postgres://") else { return }
        // A password cannot have a '?' as it is; the options begin at the first.
        guard let mark = url.firstIndex(of: "?") else { return }
        var others: [Substring] = []
        for option in url[url.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false) {
            let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = parts.first.map(String.init), Self.own.contains(name) else {
                others.append(option)
                continue
            }
            guard parts.count == 2, let value = parts[1].removingPercentEncoding, values[name] == nil else {
                isDamaged = true
                continue
            }
            if name == "pool", Int(value).map({ $0 > 0 }) != true { isDamaged = true }
            values[name] = value
        }
        rest = String(url[..<mark]) + (others.isEmpty ? "" : "?" + others.joined(separator: "&"))
    }

    mutating func take(_ name: String) -> String? { values.removeValue(forKey: name) }
}
