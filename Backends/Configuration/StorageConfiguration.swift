public import CofferStorage
import CofferStorageTools
public import Foundation

/// A store that is named by a URL, so that a setting of the program can select the backend.
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
/// An unknown option makes the initialiser or `makeStorage()` throw `invalidConfiguration`; the message lists the known
/// options. Errors and `description` do not contain passwords.
public struct StorageConfiguration: Sendable {
    /// The URL, with the options that came from elsewhere.
    public let url: StorageURL
    private let backend: any ConfigurableStorage.Type

    /// The store that a URL names.
    ///
    /// - Throws: `invalidConfiguration`.
    public init(_ url: String) throws(StorageError) {
        try self.init(url: StorageURL(url))
    }

    init(url: StorageURL) throws(StorageError) {
        self.url = url
        backend = try StorageSchemes.backend(of: url)
        _ = try StorageOptionReader(url, known: backend.urlOptions)
    }

    /// The store that a source of settings names: `url`, and each option of its backend by the option's name.
    ///
    /// ```swift
    /// let configuration = try StorageConfiguration { settings["storage.\($0)"] }
    /// ```
    ///
    /// A setting wins over an option of the URL. Where there is no `url`, `scheme` and `path` stand for it, neither of
    /// which is encoded.
    ///
    /// - Parameter setting: the setting with a name, nil when there is none.
    /// - Throws: `invalidConfiguration`, also when no store is named.
    public init(settings setting: (_ name: String) -> String?) throws(StorageError) {
        self = try .reading(named: { "'\($0)'" }) { setting($0.name) }
    }

    /// The store that the environment names: `COFFER_URL`, and options such as `COFFER_SYNCHRONOUS`.
    ///
    /// - Parameters:
    ///   - environment: the variables; those of the process unless told otherwise.
    ///   - prefix: what their names begin with, before an underscore.
    /// - Throws: `invalidConfiguration`, also when no store is named.
    public init(
        environment: [String: String] = ProcessInfo.processInfo.environment, prefix: String = "COFFER"
    ) throws(StorageError) {
        func variable(_ name: String) -> String { "\(prefix)_\(name.uppercased().replacing("-", with: "_"))" }
        self = try .reading(named: { "the environment variable \(variable($0))" }) { environment[variable($0.name)] }
    }

    /// A new store, to be added to a data stack.
    ///
    /// - Throws: `invalidConfiguration` when the value of an option does not fit.
    public func makeStorage() throws(StorageError) -> any ConfigurableStorage {
        try backend.make(url)
    }

    /// Makes a backend known, whose schemes can be used from then on.
    ///
    /// - Throws: `invalidConfiguration` when one of its schemes is another backend's.
    public static func register(_ backend: any ConfigurableStorage.Type) throws(StorageError) {
        try StorageSchemes.register(backend)
    }
}

extension StorageConfiguration: CustomStringConvertible {
    /// The URL without options and secrets.
    public var description: String { url.description }
}
