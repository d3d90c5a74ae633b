public import CofferStorage
import Foundation

extension SQLiteStore {
    /// A store in a file of the default directory.
    ///
    /// - Parameter fileName: the file's name, or its path from the directory.
    public convenience init(
        fileName: String, configuration: ModelConfiguration = nil,
        migrationMappingProviders: [any SchemaMappingProvider] = [], localStorageOptions: LocalStorageOptions = nil,
        settings: SQLiteConfiguration = SQLiteConfiguration()
    ) {
        self.init(
            fileURL: Self.defaultRootDirectory.appending(path: fileName, directoryHint: .notDirectory),
            configuration: configuration, migrationMappingProviders: migrationMappingProviders,
            localStorageOptions: localStorageOptions, settings: settings
        )
    }

    /// A store in the default file.
    public convenience init() {
        self.init(fileURL: Self.defaultFileURL)
    }

    /// A store in a file of the directory that does not depend on the program.
    public static func legacy(
        fileName: String, configuration: ModelConfiguration = nil,
        migrationMappingProviders: [any SchemaMappingProvider] = [], localStorageOptions: LocalStorageOptions = nil
    ) -> SQLiteStore {
        SQLiteStore(
            fileURL: legacyDefaultRootDirectory.appending(path: fileName, directoryHint: .notDirectory),
            configuration: configuration, migrationMappingProviders: migrationMappingProviders,
            localStorageOptions: localStorageOptions
        )
    }

    /// A store in the default file of the directory that does not depend on the program.
    public static func legacy() -> SQLiteStore {
        SQLiteStore(fileURL: legacyDefaultFileURL)
    }

    /// The size of the file in bytes, without what is beside it; nil when there is no file.
    public func fileSize() -> UInt64? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: fileURL.path(percentEncoded: false))
        return (attributes?[.size] as? NSNumber)?.uint64Value
    }

    /// The directory of the files that are given by name alone: on Linux `~/.local/share/<bundle id>`, or in
    /// `XDG_DATA_HOME` where that is set.
    static var defaultRootDirectory: URL {
        legacyDefaultRootDirectory.appending(
            path: Bundle.main.bundleIdentifier ?? "com.CoreStore.DataStack", directoryHint: .isDirectory
        )
    }

    /// The file of a store that is given no file.
    static var defaultFileURL: URL {
        defaultRootDirectory.appending(path: defaultFileName, directoryHint: .notDirectory)
    }

    static var legacyDefaultRootDirectory: URL {
        #if os(Linux) || os(Android)
            let environment = ProcessInfo.processInfo.environment
            if let path = environment["XDG_DATA_HOME"], path.hasPrefix("/") {
                return URL(filePath: path, directoryHint: .isDirectory)
            }
            return FileManager.default.homeDirectoryForCurrentUser
                .appending(path: ".local/share", directoryHint: .isDirectory)
        #elseif os(tvOS)
            return URL.cachesDirectory
        #else
            return URL.applicationSupportDirectory
        #endif
    }

    static var legacyDefaultFileURL: URL {
        legacyDefaultRootDirectory.appending(path: defaultFileName, directoryHint: .notDirectory)
    }

    private static var defaultFileName: String {
        "\(Bundle.main.object(forInfoDictionaryKey: "CFBundleName") as? String ?? "CoreData").sqlite"
    }
}

extension SQLiteStore {
    /// Refuses what would change a store that is only read.
    func checkWritable() throws(StorageError) {
        guard settings.isReadOnly else { return }
        throw StorageError(.readOnly, "The store was made to be read only. Make it without 'isReadOnly' to change it.")
    }
}
