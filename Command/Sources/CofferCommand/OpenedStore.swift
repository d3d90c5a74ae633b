import CofferConfiguration
import CofferStorage

/// Opens the existing store at a URL, reads its model, and has the error for a missing store.
struct OpenedStore {
    let store: any ConfigurableStorage
    let metadata: StoreMetadata
    let layout: ModelLayout
    let url: StorageURL

    /// Opens the store that a URL names.
    ///
    /// - Throws: `unavailable` when there is none: nothing is made.
    init(_ text: String) throws {
        let configuration = try StoreURL.configuration(text)
        url = configuration.url
        let store = try configuration.makeStorage()
        metadata = try StoreURL.metadata(of: store, at: url)
        layout = try ModelLayout(metadata.model)
        self.store = try Self.opened(store, url, layout)
    }

    /// Opens a store; one that may only be read, to read it.
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
    /// What a store says about itself.
    ///
    /// - Throws: `unavailable` when there is none.
    static func metadata(of store: any ConfigurableStorage, at url: StorageURL) throws -> StoreMetadata {
        if let metadata = try store.inspect() { return metadata }
        throw StorageError(.unavailable, "There is no store at '\(url)'.", store: store.storeDescription)
    }

    /// The store that a URL names.
    ///
    /// What keeps pages of a file in memory keeps few: everything is read once.
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
