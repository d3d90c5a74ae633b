import Foundation

/// The URL of a store: its syntax and escapes, the errors for a wrong URL, and a description without passwords.
///
/// The URL has a scheme, a location that the backend needs to find the store, and options after a question mark.
/// `description` and errors never show a password.
public struct StorageURL: Hashable, Sendable {
    /// An option of the query, without percent-encoding.
    public struct Option: Hashable, Sendable {
        /// The name of the option.
        public let name: String
        /// The value of the option.
        public let value: String

        /// Creates an option.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }

        /// Whether the option may be a part of a password.
        ///
        /// If a password contains an unencoded '?' or '&', the characters after it are parsed as an option.
        package var mayBeSecret: Bool {
            name.hasSuffix("password") || name.contains { "@:".contains($0) } || value.contains("@")
        }
    }

    /// The scheme, in lower case, without its colon.
    public let scheme: String
    /// The part between the scheme and the options, unchanged.
    public let location: String
    /// The options in their order.
    public let options: [Option]

    /// Parses a string.
    ///
    /// - Throws: `invalidConfiguration` if the string has no scheme, an option without a value, the same option twice,
    ///   or a percent sign that does not begin an encoded character.
    public init(_ text: String) throws(StorageError) {
        guard let colon = text.firstIndex(of: ":"), Self.isScheme(text[..<colon]) else {
            throw .invalidConfiguration(
                "The URL of a store begins with a scheme, such as memory: or sqlite:///path. This URL has no scheme.")
        }
        scheme = text[..<colon].lowercased()
        let rest = text[text.index(after: colon)...]
        let mark = rest.firstIndex(of: "?")
        location = String(rest[..<(mark ?? rest.endIndex)])
        options = try mark.map { mark throws(StorageError) in try Self.options(rest[rest.index(after: mark)...]) } ?? []
    }

    /// Creates a URL from a path without percent-encoding.
    ///
    /// - Parameters:
    ///   - scheme: the scheme, without its colon.
    ///   - path: the path of a file, or for a server a slash and the name of a database; nil if the store needs no
    ///     path.
    /// - Throws: `invalidConfiguration` if the scheme is not valid.
    public init(scheme: String, path: String?) throws(StorageError) {
        guard Self.isScheme(scheme[...]) else {
            throw .invalidConfiguration("The scheme of the store is not valid. Use a word, such as memory or sqlite.")
        }
        let path = path ?? ""
        let slashes = path.isEmpty || path.hasPrefix("/") ? "//" : ""
        self.init(scheme: scheme.lowercased(), location: slashes + Self.encoded(path), options: [])
    }

    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.first, first.isASCII, first.isLetter else { return false }
        return text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    }

    private static func options(_ query: Substring) throws(StorageError) -> [Option] {
        var options: [Option] = []
        let mayBeSecret = query.contains("@") || query.contains("password=")
        for part in query.split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2, !pair[0].isEmpty else {
                if mayBeSecret || pair[0].contains(":") { throw .passwordInOptions }
                throw .invalidConfiguration("The option '\(pair[0])' has no value. Write it as 'name=value'.")
            }
            let name = try decoded(pair[0], "an option's name")
            guard !options.contains(where: { $0.name == name }) else {
                if mayBeSecret { throw .passwordInOptions }
                throw .invalidConfiguration("The option '\(name)' is given twice.")
            }
            options.append(Option(name, try decoded(pair[1], mayBeSecret ? "an option" : "the value of '\(name)'")))
        }
        return options
    }

    private static func decoded(_ text: Substring, _ place: String) throws(StorageError) -> String {
        guard let decoded = text.removingPercentEncoding else {
            throw .invalidConfiguration(
                "A '%' in \(place) is not followed by two hexadecimal digits. Write '%25'.")
        }
        return decoded
    }

    /// Returns the URL with some options set, which replace options of the same names.
    public func setting(_ changes: [Option]) -> StorageURL {
        guard !changes.isEmpty else { return self }
        let kept = options.filter { option in !changes.contains { $0.name == option.name } }
        return StorageURL(scheme: scheme, location: location, options: kept + changes)
    }

    /// Returns the URL without some options.
    public func without(_ names: [String]) -> StorageURL {
        StorageURL(scheme: scheme, location: location, options: options.filter { !names.contains($0.name) })
    }

    private init(scheme: String, location: String, options: [Option]) {
        self.scheme = scheme
        self.location = location
        self.options = options
    }

    /// The whole URL with encoded options.
    ///
    /// It may contain a password, so pass it only to a driver.
    public var text: String {
        let query = options.map { "\(Self.encoded($0.name))=\(Self.encoded($0.value))" }
        return "\(scheme):\(location)" + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }

    private static let unreserved = CharacterSet(
        charactersIn: "-._~/0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")

    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: Self.unreserved) ?? text
    }

    /// Returns the location as a path: the decoded part after `//`, or the whole decoded location.
    ///
    /// - Throws: `invalidConfiguration` if there is a host before the path, or if there is no path.
    public func path() throws(StorageError) -> String {
        var path = location[...]
        if path.hasPrefix("//") {
            path = path.dropFirst(2)
            guard path.isEmpty || path.hasPrefix("/") else {
                throw .invalidConfiguration(
                    "'\(description)' names a host, but a file has no host. "
                        + "Write three slashes before an absolute path, and no slashes before a relative path.")
            }
        }
        let decoded = try Self.decoded(path, "the path")
        guard decoded.contains(where: { $0 != "/" }), !decoded.hasSuffix("/") else {
            throw .invalidConfiguration("'\(description)' has no path to a file. Write \(scheme):///path.")
        }
        return decoded
    }
}

extension StorageURL: CustomStringConvertible {
    /// The URL without the user name, the password and the options.
    ///
    /// The password is also omitted if it has a '/', '?' or '@' that should have been encoded.
    public var description: String {
        let slashes = location.prefix { $0 == "/" }
        let place = location[slashes.endIndex...]
        guard let at = place.lastIndex(of: "@") else {
            return "\(scheme):\(slashes)\(slashes.count == 2 && Self.endsInPassword(place) ? "…" : place)"
        }
        // The path of a file may contain an '@', but seldom after a colon.
        guard slashes.count == 2 || place[..<at].contains(":") else { return "\(scheme):\(location)" }
        return "\(scheme):\(slashes)\(place[place.index(after: at)...])"
    }

    /// Whether the string after a host's colon is not a port, so that it may be a password up to its '?'.
    private static func endsInPassword(_ place: Substring) -> Bool {
        place.prefix { $0 != "/" }.split(separator: ",").contains { host in
            guard let colon = host.lastIndex(of: ":"), !host.hasSuffix("]") else { return false }
            return !host[host.index(after: colon)...].allSatisfy { $0.isASCII && $0.isNumber }
        }
    }
}

extension StorageError {
    static let passwordInOptions = StorageError.invalidConfiguration(
        "The options of the URL cannot be read. \(passwordAdvice)")
    package static let passwordAdvice = "If the password has a '/', '?', '@' or '&', write %2F, %3F, %40 or %26."
}

// A dump shows the same as the description.
extension StorageURL: CustomReflectable {
    /// A mirror that contains only the description.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension StorageURL.Option: CustomStringConvertible, CustomReflectable {
    /// The name of the option, without its value, because the value may be secret.
    public var description: String { name }
    /// A mirror that contains only the name.
    public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}
