public import CofferStorage
import Foundation

/// Creates stores by file name in the data directory, finds the default file, and refuses writes to read-only stores.
extension SQLiteStore {
    /// Creates a store in a file of the program's data directory.
    ///
    /// ```swift
    /// try stack.addStorageAndWait(SQLiteStore(fileName: "people.sqlite"))
    /// ```
    ///
    /// The directory has the name of the bundle identifier, or of the program if there is none. It is in Application
    /// Support on Apple platforms, in Caches on tvOS, and in `XDG_DATA_HOME` or `~/.local/share` on Linux. For example,
    /// the program `kennel` uses `~/.local/share/kennel/people.sqlite`; see ``fileURL``.
    ///
    /// Programs without a bundle identifier once shared the directory `com.CoreStore.DataStack`. If the file exists
    /// there, and not yet in the program's own directory, the store uses it there.
    ///
    /// The initialiser does not touch the file. The file and its directory are created when the store is added. If they
    /// cannot be created, adding the store throws `unavailable`.
    ///
    /// - Parameter fileName: the name of the file, or its path from the directory.
    public convenience init(
        fileName: String, configuration: ModelConfiguration = nil,
        migrationMappingProviders: [any SchemaMappingProvider] = [], localStorageOptions: LocalStorageOptions = nil,
        settings: SQLiteConfiguration = SQLiteConfiguration()
    ) {
        self.init(
            fileURL: Self.defaultFile(fileName),
            configuration: configuration, migrationMappingProviders: migrationMappingProviders,
            localStorageOptions: localStorageOptions, settings: settings
        )
    }

    /// Creates a store in the default file of the program's data directory.
    public convenience init() { self.init(fileURL: Self.defaultFileURL) }

    /// Returns a store in a file of the directory that is the same for all programs.
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

    /// Returns a store in the default file of the directory that is the same for all programs.
    public static func legacy() -> SQLiteStore { SQLiteStore(fileURL: legacyDefaultFileURL) }

    /// Returns the size of the file in bytes, without the files beside it; nil if the file does not exist.
    public func fileSize() -> UInt64? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: fileURL.path(percentEncoded: false))
        return (attributes?[.size] as? NSNumber)?.uint64Value
    }

    /// The name of the directory for files that are given only by name.
    static var defaultDirectoryName: String {
        Bundle.main.bundleIdentifier ?? Bundle.main.executableURL?.lastPathComponent
            ?? ProcessInfo.processInfo.processName
    }

    /// The former name of the directory for all programs without a bundle identifier.
    static let sharedDirectoryName = "com.CoreStore.DataStack"

    /// Returns a file in the program's own directory, or in the shared directory if it exists only there.
    static func defaultFile(_ name: String, in root: URL = legacyDefaultRootDirectory) -> URL {
        func file(_ directory: String) -> URL {
            root.appending(path: directory, directoryHint: .isDirectory)
                .appending(path: name, directoryHint: .notDirectory)
        }
        func isThere(_ file: URL) -> Bool { FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) }
        let (own, shared) = (file(defaultDirectoryName), file(sharedDirectoryName))
        return !isThere(own) && isThere(shared) ? shared : own
    }

    /// The file of a store that is created without a file.
    static var defaultFileURL: URL { defaultFile(defaultFileName) }

    static var legacyDefaultRootDirectory: URL {
        #if os(Linux) || os(Android)
            return dataDirectory(ProcessInfo.processInfo.environment)
        #elseif os(tvOS)
            return URL.cachesDirectory
        #else
            return URL.applicationSupportDirectory
        #endif
    }

    #if os(Linux) || os(Android)
        /// Returns the user's directory for the data of programs, as the XDG specification defines it.
        static func dataDirectory(_ environment: [String: String]) -> URL {
            if let path = environment["XDG_DATA_HOME"], path.hasPrefix("/") {
                return URL(filePath: path, directoryHint: .isDirectory)
            }
            return FileManager.default.homeDirectoryForCurrentUser
                .appending(path: ".local/share", directoryHint: .isDirectory)
        }
    #endif

    static var legacyDefaultFileURL: URL {
        legacyDefaultRootDirectory.appending(path: defaultFileName, directoryHint: .notDirectory)
    }

    private static var defaultFileName: String {
        "\(Bundle.main.object(forInfoDictionaryKey: "CFBundleName") as? String ?? "CoreData").sqlite"
    }
}

extension SQLiteStore {
    /// Throws an error if the store is read-only.
    func checkWritable() throws(StorageError) {
        guard settings.isReadOnly else { return }
        throw StorageError(.readOnly, "The store is read-only. Create the storage without 'isReadOnly' to change it.")
    }
}
