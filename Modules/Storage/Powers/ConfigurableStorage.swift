/// A store that can be made from a URL.
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
    /// The schemes of its URLs, in lower case, the usual one first.
    static var urlSchemes: [String] { get }
    /// A URL as an example, for help and errors.
    static var urlExample: String { get }
    /// The options its URLs may have.
    static var urlOptions: [StorageOption] { get }

    /// Makes a store, which is not opened.
    ///
    /// Implementations must throw `invalidConfiguration` for an option they do not know, or a value that does not fit;
    /// `StorageOptionReader` does. They must not touch the place the URL names.
    static func make(_ url: StorageURL) throws(StorageError) -> Self
}
