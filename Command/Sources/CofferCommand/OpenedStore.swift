import CofferConfiguration
import CofferStorage

/// Opens the existing store at a URL and reads its model; throws an error if there is no store.
struct OpenedStore {
    let store: any ConfigurableStorage
    let metadata: StoreMetadata
    let layout: ModelLayout
    let url: StorageURL

    /// Opens the store that a URL names.
    ///
    /// - Throws: `unavailable` if there is no store; the initialiser does not create one.
    init(_ text: String) throws {
        let configuration = try StoreURL.configuration(text)
        url = configuration.url
        let store = try configuration.makeStorage()
        metadata = try StoreURL.metadata(of: store, at: url)
        layout = try ModelLayout(metadata.model)
        self.store = try Self.opened(store, url, layout)
    }

    /// Opens a store; if the store is read-only or unavailable, opens it with the option `readonly`.
    private static func opened(
        _ store: any ConfigurableStorage, _ url: StorageURL, _ layout: ModelLayout
    ) throws(StorageError) -> any ConfigurableStorage {
        do throws(StorageError) {
            _ = try store.open(layout)
            return store
        } catch {
            let backend = type(of: store)
            guard [.readOnly, .unavailable].contains(error.code),
                backend.urlOptions.contains(where: { $0.name == "readonly" })
            else { throw error }
            let readOnly = try backend.make(url.setting([StorageURL.Option("readonly", "true")]))
            _ = try readOnly.open(layout)
            return readOnly
        }
    }
}

enum StoreURL {
    /// Returns the metadata of a store.
    ///
    /// - Throws: `unavailable` if there is no store.
    static func metadata(of store: any ConfigurableStorage, at url: StorageURL) throws -> StoreMetadata {
        if let metadata = try store.inspect() { return metadata }
        throw StorageError(.unavailable, "There is no store at '\(url)'.", store: store.storeDescription)
    }

    /// Returns the configuration of the store that a URL names.
    ///
    /// A backend with a page cache gets a small cache, because a command reads everything once.
    static func configuration(_ text: String) throws -> StorageConfiguration {
        let hasCache = try StorageURL(text).options.contains { $0.name == "cache" }
        return try StorageConfiguration { name in
            switch name {
            case "url": text
            case "cache": hasCache ? nil : "8"
            default: nil
            }
        }
    }
}
