package import CofferStorage

/// Reads the URL, scheme, path and backend options of a store from settings or environment variables.
extension StorageConfiguration {
    private static let url = StorageOption("url", "the URL of the store", isSecret: true)
    private static let scheme = StorageOption("scheme", "the scheme of the URL, if no URL is set")
    private static let path = StorageOption("path", "the path after the scheme, without percent-encoding")

    /// Returns the configuration from `url`, or from `scheme` and `path`, and from the options of the backend.
    ///
    /// - Parameters:
    ///   - name: returns the name of a setting in errors.
    ///   - setting: returns the value of a setting; nil if there is no such setting.
    package static func reading(
        named name: (String) -> String, _ setting: (StorageOption) throws(StorageError) -> String?
    ) throws(StorageError) -> StorageConfiguration {
        let place: StorageURL
        if let url = try setting(url) {
            place = try StorageURL(url)
        } else if let scheme = try setting(scheme) {
            place = try StorageURL(scheme: scheme, path: setting(path))
        } else {
            throw .invalidConfiguration(
                "No store is named. Set \(name("url")), for example to \(StorageSchemes.examples).")
        }
        var options: [StorageURL.Option] = []
        for option in try StorageSchemes.backend(of: place).urlOptions {
            if let value = try setting(option) { options.append(.init(option.name, value)) }
        }
        return try StorageConfiguration(url: place.setting(options))
    }
}
