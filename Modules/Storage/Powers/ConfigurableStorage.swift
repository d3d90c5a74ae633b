/// A store that can be created from a URL.
///
/// ```swift
/// extension RedisStore: ConfigurableStorage {
///     static let urlSchemes = ["redis"]
///     static let urlOptions = [StorageOption("database", "the number of the database")]
///
///     static func make(_ url: StorageURL) throws(StorageError) -> RedisStore {
///         let options = try StorageOptionReader(url, known: urlOptions)
///         return RedisStore(database: try options.integer("database", in: 0...15) ?? 0)
///     }
/// }
/// ```
public protocol ConfigurableStorage: StorageInterface {
    /// The schemes of the URLs, in lower case, beginning with the usual one.
    static var urlSchemes: [String] { get }
    /// An example of a URL, for help and errors.
    static var urlExample: String { get }
    /// The options of the URLs.
    static var urlOptions: [StorageOption] { get }

    /// Creates a store without opening it.
    ///
    /// Implementations must throw `invalidConfiguration` for an unknown option or a wrong value. `StorageOptionReader`
    /// makes these checks. Implementations must not access the place of the URL.
    static func make(_ url: StorageURL) throws(StorageError) -> Self
}
