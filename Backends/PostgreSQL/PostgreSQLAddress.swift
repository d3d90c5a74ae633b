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
    let schema: String
    /// What errors call the store: the database, and the schema unless it is the usual one.
    let name: String
    /// The most connections for reading, where the URL says so.
    let connectionLimit: Int?
    /// Whether the string or the environment says how long to wait for a connection.
    let hasConnectTimeout: Bool

    /// - Parameter url: a `postgresql://` URL, a string of keywords, or nothing; libpq adds what the environment says.
    /// - Throws: `unavailable`, without the string: a password may be in it.
    init(_ url: String, schema: String?) throws(StorageError) {
        var options = PostgreSQLOptions(url)
        let known = try Self.known(options.rest)
        connectionString = options.rest
        self.schema = schema ?? options.take("schema") ?? "public"
        connectionLimit = options.take("pool").flatMap { Int($0) }.map { max(1, $0) }
        if options.isDamaged || self.schema.isEmpty { throw Self.unreadable }
        hasConnectTimeout = known["connect_timeout"] != nil
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
            + "postgresql://user@host/database?schema=name with options that libpq knows, 'schema' or 'pool', or a "
            + "string of libpq's keywords."
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
    private static let own: Set<String> = ["schema", "pool"]

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
