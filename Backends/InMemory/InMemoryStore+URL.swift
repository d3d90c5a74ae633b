public import CofferStorage
import CofferStorageTools

/// Creates an in-memory store from a `memory:` URL and its options.
extension InMemoryStore {
    /// The scheme of `memory:`.
    public static let urlSchemes = ["memory"]
    /// The only possible URL, apart from its options.
    public static let urlExample = "memory:"
    /// The option `configuration`.
    public static let urlOptions = [StorageOption.configuration]

    /// Creates a store with separate data.
    public static func make(_ url: StorageURL) throws(StorageError) -> InMemoryStore {
        guard url.location.isEmpty || url.location == "//" else {
            throw .invalidConfiguration("'\(url)' names a place, but memory has no place. Write 'memory:'.")
        }
        let options = try StorageOptionReader(url, known: urlOptions)
        return InMemoryStore(configuration: options.string("configuration"))
    }
}
