#if SwiftConfiguration
    public import CofferConfiguration
    public import CofferStorage
    public import Configuration

    /// Creates the configuration of a store from a swift-configuration reader, with options such as `coffer.url`.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    extension StorageConfiguration {
        /// Creates the configuration from a reader: `coffer.url`, and options such as `coffer.synchronous`.
        ///
        /// ```swift
        /// let config = ConfigReader(providers: [
        ///     EnvironmentVariablesProvider(), try await FileProvider<JSONSnapshot>(filePath: "/etc/app.json"),
        /// ])
        /// let storage = try StorageConfiguration(reader: config, scope: "database").makeStorage()
        /// ```
        ///
        /// An option may be a string, a number or a flag. It takes precedence over the same option in the URL. If there
        /// is no `url`, `scheme` and `path` name the store. They need no percent-encoding. URLs and passwords are read
        /// as secrets, so access reporters do not show them.
        ///
        /// All values are read from one snapshot. Values that do not belong to an option are ignored, because a reader
        /// cannot list its values.
        ///
        /// - Parameters:
        ///   - reader: the configuration.
        ///   - scope: the prefix of the store's settings in the configuration; `[]` if the reader already has this
        ///     scope.
        /// - Throws: `invalidConfiguration`, also if the settings name no store, or if a value is no string, number or
        ///   flag.
        public init(reader: ConfigReader, scope: ConfigKey = "coffer") throws(StorageError) {
            try self.init(snapshot: reader.snapshot(), scope: scope)
        }

        /// Creates the configuration from a snapshot of a reader; see ``init(reader:scope:)``.
        ///
        /// - Throws: `invalidConfiguration`.
        public init(snapshot: ConfigSnapshotReader, scope: ConfigKey = "coffer") throws(StorageError) {
            let settings = ConfigurationSettings(snapshot, scope: scope)
            self = try .reading(named: settings.name) { option throws(StorageError) in try settings.text(option) }
        }
    }
#else
    public import CofferConfiguration
    public import CofferStorage

    extension StorageConfiguration {
        /// Not available without the package trait `SwiftConfiguration`.
        @available(*, unavailable, message: "Enable the trait 'SwiftConfiguration' in the dependency on 'coffer'.")
        public init(reader: Any, scope: Any? = nil) throws(StorageError) {
            throw .invalidConfiguration("The trait 'SwiftConfiguration' of the package 'coffer' is not enabled.")
        }
    }
#endif
