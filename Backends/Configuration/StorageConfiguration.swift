public import CofferStorage
import CofferStorageTools
public import Foundation

/// The configuration of a store: a URL, which selects the backend and can come from a setting or environment variable.
///
/// ```swift
/// let storage = try StorageConfiguration("sqlite:///var/lib/app/app.sqlite?synchronous=full").makeStorage()
/// try stack.addStorageAndWait(storage)
/// ```
///
/// | URL | store |
/// |---|---|
/// | `memory:` | `InMemoryStore` |
/// | `sqlite:///absolute/path`, `sqlite:relative/path` | `SQLiteStore` |
/// | `postgresql://user@host/database?schema=name` | `PostgreSQLStore` |
///
/// If an option does not exist, the initialiser or `makeStorage()` throws `invalidConfiguration`, and the message lists
/// the existing options. Errors and `description` do not contain passwords.
public struct StorageConfiguration: Sendable {
    /// The URL of the store, with the options that came from settings or the environment.
    public let url: StorageURL
    private let backend: any ConfigurableStorage.Type

    /// Creates a configuration from a URL.
    ///
    /// - Throws: `invalidConfiguration`.
    public init(_ url: String) throws(StorageError) { try self.init(url: StorageURL(url)) }

    init(url: StorageURL) throws(StorageError) {
        self.url = url
        backend = try StorageSchemes.backend(of: url)
        _ = try StorageOptionReader(url, known: backend.urlOptions)
    }

    /// Creates a configuration from settings: `url` names the store, and other settings are options of its backend.
    ///
    /// ```swift
    /// let configuration = try StorageConfiguration { settings["storage.\($0)"] }
    /// ```
    ///
    /// A setting takes precedence over the same option in the URL. If there is no setting `url`, the settings `scheme`
    /// and `path` name the store. They need no percent-encoding.
    ///
    /// - Parameter setting: returns the setting with a name, or nil if there is no such setting.
    /// - Throws: `invalidConfiguration`, also if the settings name no store.
    public init(settings setting: (_ name: String) -> String?) throws(StorageError) {
        self = try .reading(named: { "'\($0)'" }) { setting($0.name) }
    }

    /// Creates a configuration from the environment: `COFFER_URL`, and options such as `COFFER_SYNCHRONOUS`.
    ///
    /// - Parameters:
    ///   - environment: the variables; by default, the variables of the process.
    ///   - prefix: the beginning of the names of the variables, without the underscore.
    /// - Throws: `invalidConfiguration`, also if the variables name no store.
    public init(
        environment: [String: String] = ProcessInfo.processInfo.environment, prefix: String = "COFFER"
    ) throws(StorageError) {
        func variable(_ name: String) -> String { "\(prefix)_\(name.uppercased().replacing("-", with: "_"))" }
        self = try .reading(named: { "the environment variable \(variable($0))" }) { environment[variable($0.name)] }
    }

    /// Creates a store, which the program can add to a data stack.
    ///
    /// - Throws: `invalidConfiguration` if an option has a wrong value.
    public func makeStorage() throws(StorageError) -> any ConfigurableStorage { try backend.make(url) }

    /// Registers a backend, so that URLs can use the schemes of the backend.
    ///
    /// - Throws: `invalidConfiguration` if another backend already has one of the schemes.
    public static func register(_ backend: any ConfigurableStorage.Type) throws(StorageError) {
        try StorageSchemes.register(backend)
    }
}

extension StorageConfiguration: CustomStringConvertible {
    /// The URL without options and secrets.
    public var description: String { url.description }
}
