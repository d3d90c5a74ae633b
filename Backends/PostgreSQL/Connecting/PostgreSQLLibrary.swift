import CofferCLibPQ

/// Lists the connection keywords of the installed libpq.
enum PostgreSQLLibrary {
    /// A keyword of a connection string.
    struct Keyword: Sendable {
        let name: String
        let label: String
        /// Whether a dialog must not show the value.
        let isSecret: Bool
    }

    /// The keywords that libpq knows.
    static let keywords: [Keyword] = {
        guard let defaults = PQconndefaults() else { return [] }
        defer { PQconninfoFree(defaults) }
        var keywords: [Keyword] = []
        var option = defaults
        while let name = option.pointee.keyword {
            // Keywords without a label are for libpq itself.
            let label = option.pointee.label.map { String(cString: $0) } ?? ""
            // libpq marks a secret with a star.
            let isSecret = option.pointee.dispchar.map { $0.pointee == UInt8(ascii: "*") } ?? false
            keywords.append(Keyword(name: String(cString: name), label: label, isSecret: isSecret))
            option += 1
        }
        return keywords
    }()
}
