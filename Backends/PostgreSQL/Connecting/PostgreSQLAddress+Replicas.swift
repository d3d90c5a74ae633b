import CofferStorage

/// Parses `host:port` and creates the addresses of replicas.
extension PostgreSQLAddress {
    /// Returns the address of a replica.
    ///
    /// - Parameter place: `host`, `host:port` or `[address]:port`, with all other settings of this address; or a URL
    ///   or a string of keywords, with only the schema of this address.
    func replica(_ place: String) throws(StorageError) -> PostgreSQLAddress {
        var overrides = ["target_session_attrs": "any"]
        if !hasConnectTimeout { overrides["connect_timeout"] = "2" }
        if place.contains("://") || place.contains("=") {
            return try PostgreSQLAddress(libpq: place, overrides, schema: schema)
        }
        guard let (host, port) = Self.hostAndPort(place) else { throw Self.unreadableReplica }
        overrides["host"] = host
        overrides["port"] = port ?? (self.port.contains(",") ? "5432" : self.port)
        // libpq would connect to the host address, whatever the name of the host.
        guard !hasHostAddress else { throw Self.unreadableReplica }
        return try PostgreSQLAddress(libpq: connectionString, overrides, schema: schema)
    }

    /// Returns the parts of `host:port`; nil if they cannot be read.
    static func hostAndPort(_ place: String) -> (host: String, port: String?)? {
        var host = place[...]
        var port: Substring?
        if let colon = place.lastIndex(of: ":"), place[colon...].firstIndex(of: "]") == nil {
            (host, port) = (place[..<colon], place[place.index(after: colon)...])
        }
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty, !host.contains(where: { $0.isWhitespace || $0 == "," }) else { return nil }
        guard let port else { return (String(host), nil) }
        guard let number = UInt16(port), number > 0 else { return nil }
        return (String(host), "\(number)")
    }

    static let unreadableReplica = StorageError(
        .unavailable,
        "The address of a replica cannot be read. Give 'host' or 'host:port' if the PostgreSQL database has a "
            + "host and no 'hostaddr', or else a URL.")
}
