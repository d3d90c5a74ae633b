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

        /// Returns the name of a setting in errors: its key in quotes.
        func name(_ name: String) -> String { "'\((scope.components + [name]).joined(separator: "."))'" }

        /// Returns a setting in the notation of a URL; nil if the setting does not exist.
        ///
        /// - Throws: `invalidConfiguration` if the setting is a list, or if a provider fails.
        func text(_ option: StorageOption) throws(StorageError) -> String? {
            let key = ConfigKey(scope.components + [option.name], context: scope.context)
            let failure: any Error
            do {
                return try snapshot.requiredString(forKey: key, isSecret: option.isSecret)
            } catch {
                failure = error
            }
            if ReadingFailure(failure) == .missing { return nil }
            // Typed providers refuse to return a number as a string. A provider may return a flag as 1 or 0.
            if let number = snapshot.int(forKey: key, isSecret: option.isSecret) { return String(number) }
            if let number = snapshot.double(forKey: key, isSecret: option.isSecret) { return String(number) }
            if let flag = snapshot.bool(forKey: key, isSecret: option.isSecret) { return String(flag) }
            var error = StorageError.invalidConfiguration(
                "\(name(option.name)) cannot be read. It should be a string, a number, or true or false.")
            error.cause = option.isSecret ? nil : "\(failure)"
            throw error
        }
    }

    /// The type and the case of an error that a reader throws for a required value.
    ///
    /// The error type of the reader is not public, and a missing value must be distinguished from an unreadable
    /// value.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    private struct ReadingFailure: Equatable {
        private let type: ObjectIdentifier
        private let kind: String?

        init(_ error: any Error) {
            type = ObjectIdentifier(Swift.type(of: error))
            kind = Mirror(reflecting: error).children.first?.label
        }

        /// The failure of a reader without values; nil if such a reader throws no error.
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
