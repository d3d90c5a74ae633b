#if SwiftConfiguration
    public import CofferConfiguration
    public import CofferStorage
    public import Configuration

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    extension StorageConfiguration {
        /// The store that a configuration names: `coffer.url`, and options such as `coffer.synchronous`.
        ///
        /// ```swift
        /// let config = ConfigReader(providers: [
        ///     EnvironmentVariablesProvider(), try await FileProvider<JSONSnapshot>(filePath: "/etc/app.json"),
        /// ])
        /// let storage = try StorageConfiguration(reader: config, scope: "database").makeStorage()
        /// ```
        ///
        /// An option may be a text, a number or a flag. It wins over the same option of the URL. Where there is no `url`,
        /// `scheme` and `path` stand for it, neither of which is encoded. URLs and passwords are read as secrets, which
        /// access reporters do not show.
        ///
        /// All is read from one snapshot. Values of the configuration that no option is called by are nobody's mistake: a
        /// reader cannot list them.
        ///
        /// - Parameters:
        ///   - reader: the configuration.
        ///   - scope: where in it the settings of the store are; `[]` for a reader that is scoped to them already.
        /// - Throws: `invalidConfiguration`, also when no store is named, or a value can be read as none of these.
        public init(reader: ConfigReader, scope: ConfigKey = "coffer") throws(StorageError) {
            try self.init(snapshot: reader.snapshot(), scope: scope)
        }

        /// The store that a snapshot of a configuration names; see ``init(reader:scope:)``.
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
        /// Reads from apple/swift-configuration, where the trait is enabled.
        @available(*, unavailable, message: "Enable the trait 'SwiftConfiguration' where you depend on 'coffer'.")
        public init(reader: Any, scope: Any? = nil) throws(StorageError) {
            throw .invalidConfiguration("The trait 'SwiftConfiguration' of the package 'coffer' is not enabled.")
        }
    }
#endif
