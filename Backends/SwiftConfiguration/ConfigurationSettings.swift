#if SwiftConfiguration
    import CofferStorage
    import Configuration

    /// Reads the settings of a store as strings from a snapshot of a swift-configuration reader.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    struct ConfigurationSettings {
        private let snapshot: ConfigSnapshotReader
        private let scope: ConfigKey

        init(_ snapshot: ConfigSnapshotReader, scope: ConfigKey) {
            self.snapshot = snapshot
            self.scope = scope
        }

        /// What errors call a setting: its key.
        func name(_ name: String) -> String { "'\((scope.components + [name]).joined(separator: "."))'" }

        /// A setting, written as in a URL; nil when there is none.
        ///
        /// - Throws: `invalidConfiguration` for a list, and when a provider fails.
        func text(_ option: StorageOption) throws(StorageError) -> String? {
            let key = ConfigKey(scope.components + [option.name], context: scope.context)
            let failure: any Error
            do {
                return try snapshot.requiredString(forKey: key, isSecret: option.isSecret)
            } catch {
                failure = error
            }
            if ReadingFailure(failure) == .missing { return nil }
            // Providers that know types refuse a number that is asked for as a text. A flag may be read as 1 or 0.
            if let number = snapshot.int(forKey: key, isSecret: option.isSecret) { return String(number) }
            if let number = snapshot.double(forKey: key, isSecret: option.isSecret) { return String(number) }
            if let flag = snapshot.bool(forKey: key, isSecret: option.isSecret) { return String(flag) }
            var error = StorageError.invalidConfiguration(
                "\(name(option.name)) cannot be read. It should be a text, a number, or true or false.")
            error.cause = option.isSecret ? nil : "\(failure)"
            throw error
        }
    }

    /// How reading a required value failed: the type of the error, and which of its cases.
    ///
    /// The reader's error is not public, and what is missing must be told from what cannot be read.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    private struct ReadingFailure: Equatable {
        private let type: ObjectIdentifier
        private let kind: String?

        init(_ error: any Error) {
            type = ObjectIdentifier(Swift.type(of: error))
            kind = Mirror(reflecting: error).children.first?.label
        }

        /// What a reader says that has no values; nil if it says nothing.
        static let missing: ReadingFailure? = {
            do {
                _ = try ConfigReader(provider: InMemoryProvider(values: [:])).requiredString(forKey: "missing")
                return nil
            } catch {
                return ReadingFailure(error)
            }
        }()
    }
#endif
