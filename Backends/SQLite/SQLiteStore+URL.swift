public import CofferStorage
import CofferStorageTools
import Foundation

/// Creates a store from a `sqlite:///path` URL; lists the options of such URLs, and checks their ranges.
extension SQLiteStore {
    /// The scheme of `sqlite:///path`.
    public static let urlSchemes = ["sqlite"]
    /// An example of a URL; an absolute path follows three slashes, and a relative path follows the colon.
    public static let urlExample = "sqlite:///path"
    /// The options of ``SQLiteConfiguration``, and the options of all stores.
    public static let urlOptions = [
        StorageOption.configuration, .recreate,
        StorageOption("synchronous", "normal, or full for commits that survive a power failure"),
        StorageOption("cache", "the size of the cache of each connection, in MiB"),
        StorageOption("timeout", "the seconds to wait for another process that is writing"),
        StorageOption("readers", "the number of idle connections for reading that stay open"),
        StorageOption("pages", "the maximum size of the file, in pages of 4,096 bytes"),
        StorageOption("readonly", "true to only read the file, which need not be writable"),
    ]

    /// Creates a store in the file of the URL.
    public static func make(_ url: StorageURL) throws(StorageError) -> SQLiteStore {
        let options = try StorageOptionReader(url, known: urlOptions)
        var settings = SQLiteConfiguration()
        settings.synchronous =
            try options.choice("synchronous", SQLiteConfiguration.Synchronous.self) ?? settings.synchronous
        settings.cacheSize = try options.integer("cache", in: 0...1 << 20).map { $0 << 20 } ?? settings.cacheSize
        settings.busyTimeLimit = try options.seconds("timeout") ?? settings.busyTimeLimit
        settings.idleReaders = try options.integer("readers", in: 0...1_024) ?? settings.idleReaders
        settings.maximumPageCount = try options.integer("pages", in: 1...Int(Int32.max)) ?? settings.maximumPageCount
        settings.isReadOnly = try options.flag("readonly") ?? settings.isReadOnly
        return SQLiteStore(
            fileURL: URL(fileURLWithPath: try url.path()), configuration: options.string("configuration"),
            localStorageOptions: try options.flag("recreate") == true ? .recreateStoreOnModelMismatch : .none,
            settings: settings
        )
    }
}
