public import CofferStorage
public import Foundation

/// Makes whichever store a string names.
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
/// An option that the store does not know is an error that lists those it does. Neither errors nor `description` show
/// passwords.
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

    private init(url: StorageURL) throws(StorageError) {
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
    /// A setting wins over an option of the URL.
    ///
    /// - Parameter setting: the setting with a name, nil when there is none.
    /// - Throws: `invalidConfiguration`, also when there is no `url`.
    public init(settings setting: (_ name: String) -> String?) throws(StorageError) {
        guard let text = setting("url") else {
            throw .invalidConfiguration("No store is named. Set 'url', for example to \(StorageSchemes.examples).")
        }
        let url = try StorageURL(text)
        let known = try StorageSchemes.backend(of: url).urlOptions
        try self.init(
            url: url.setting(known.compactMap { option in setting(option.name).map { .init(option.name, $0) } }))
    }

    /// The store that the environment names: `COFFER_URL`, and options such as `COFFER_SYNCHRONOUS`.
    ///
    /// - Parameters:
    ///   - environment: the variables; those of the process unless told otherwise.
    ///   - prefix: what their names begin with, before an underscore.
    /// - Throws: `invalidConfiguration`, also when the variable of the URL is missing.
    public init(
        environment: [String: String] = ProcessInfo.processInfo.environment, prefix: String = "COFFER"
    ) throws(StorageError) {
        guard environment["\(prefix)_URL"] != nil else {
            throw .invalidConfiguration(
                "No store is named. Set the environment variable \(prefix)_URL, for example to \(StorageSchemes.examples)."
            )
        }
        try self.init { environment["\(prefix)_\($0.uppercased().replacing("-", with: "_"))"] }
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
