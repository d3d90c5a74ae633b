public import CofferSQL
public import CofferStorage
public import CofferStorageTools
public import Foundation

/// A store in a SQLite file, with its settings, its migration options and its mapping providers.
///
/// ```swift
/// try stack.addStorageAndWait(SQLiteStore(fileName: "people.sqlite"))
/// ```
///
/// Any number of threads read while one thread writes, and several processes may use the file at once. The file
/// survives a crash of the program. With `synchronous: .full` in ``SQLiteConfiguration``, each commit also survives a
/// power cut.
///
/// If another process writes for longer than `busyTimeLimit` (5 seconds by default), an operation throws `busy`. If the
/// file is not a store of Coffer, opening it throws `foreign`. If the file is damaged, opening it throws `corrupt`.
public final class SQLiteStore:
    LocalStorage, ConfigurableStorage, MigratableStorage, LoadableStorage, CheckableStorage, SQLStorage
{
    // The conformances are declared here, but their requirements are in other files. A linker takes no object file
    // from an archive for a conformance alone, and these conformances are looked up at run time.
    // `scripts/check-archive` checks this.

    /// The kind of store, for logs.
    public static let storeType = "SQLite"

    /// The location of the file.
    ///
    /// The store creates the directory of the file when the store is opened.
    public let fileURL: URL
    /// The name of the configuration whose entities the store holds; nil for all entities.
    public let configuration: ModelConfiguration
    /// The durability, the memory and the time limits.
    public let settings: SQLiteConfiguration

    /// The behaviour of a data stack if the file holds data of another model.
    ///
    /// Set the options before you add the store to a data stack.
    public var localStorageOptions: LocalStorageOptions {
        get { localOptions.withLock(\.self) }
        set { localOptions.withLock { $0 = newValue } }
    }

    /// The plans for migration steps that cannot be inferred.
    public let migrationMappingProviders: [any SchemaMappingProvider]

    private let localOptions: Locked<LocalStorageOptions>
    private let session = Locked<SQLiteSession?>(nil)

    /// Creates a store in the file at a URL.
    ///
    /// ```swift
    /// let store = SQLiteStore(fileURL: URL(fileURLWithPath: "/var/lib/app/people.sqlite"))
    /// try stack.addStorageAndWait(store)
    /// ```
    ///
    /// The initialiser does not touch the file. The file and its directory are created when the store is added.
    ///
    /// - Parameters:
    ///   - fileURL: the location of the file.
    ///   - configuration: the name of the configuration whose entities the store holds; nil for all entities.
    ///   - migrationMappingProviders: plans for migration steps that cannot be inferred.
    ///   - localStorageOptions: the behaviour if the file holds data of another model.
    ///   - settings: durability, memory and time limits.
    public init(
        fileURL: URL, configuration: ModelConfiguration = nil,
        migrationMappingProviders: [any SchemaMappingProvider] = [], localStorageOptions: LocalStorageOptions = nil,
        settings: SQLiteConfiguration = SQLiteConfiguration()
    ) {
        self.fileURL = fileURL
        self.configuration = configuration
        self.settings = settings
        self.migrationMappingProviders = migrationMappingProviders
        localOptions = Locked(localStorageOptions)
    }

    /// The kind of store and the path of the file, for logs and errors.
    public var storeDescription: String { "SQLiteStore '\(fileURL.path)'" }

    /// The options that differ from SQLite's defaults, under their names in Core Data.
    public var storeOptions: [AnyHashable: Any]? {
        [
            "NSSQLitePragmasOption": ["journal_mode": "WAL"],
            "NSBinaryStoreInsecureDecodingCompatibilityOption": true,
        ]
    }

    /// Reads the model and the id from the file; nil if the file is empty or does not exist.
    public func inspect() throws(StorageError) -> StoreMetadata? { try file.inspect() }

    /// Opens the file, and creates the file and its directory if they do not exist.
    public func open(_ layout: ModelLayout) throws(StorageError) -> StoreMetadata {
        try session.withLock { session throws(StorageError) in
            if let session, session.layout === layout { return session.metadata }
            session?.close()
            session = nil
            let opened = SQLiteSession(
                try settings.isReadOnly ? file.openReadOnly(layout) : file.open(layout), settings)
            session = opened
            return opened.metadata
        }
    }

    /// Closes all connections; a reader in use keeps its connection until it finishes.
    public func close() {
        session.withLock { session in
            session?.close()
            session = nil
        }
    }

    /// Closes the store, and deletes its file and the files that SQLite keeps beside it.
    ///
    /// - Throws: `busy` if the file is open elsewhere, or if a reader of this store is in use. The store is closed in
    ///   both cases.
    public func erase() throws(StorageError) { try erase(if: nil) }

    /// Returns a reader that has a separate connection, either an idle or a new one.
    public func makeReader() throws(StorageError) -> any StorageReader { try opened().makeReader() }

    /// Reserves keys in a separate transaction, which increases the next key in the file.
    public func reserveKeys(_ count: Int, root: Int) throws(StorageError) -> Range<Int64> {
        let session = try opened()
        if count > 0 { try checkWritable() }
        return try session.reserveKeys(count, root: root)
    }

    /// Saves all changes in one transaction of the database.
    public func commit(_ changes: ChangeSet) throws(StorageError) -> CommitResult {
        let session = try opened()
        try checkWritable()
        return try session.commit(changes)
    }

    /// Closes the store and removes its file, if the file still holds the store that was found in it.
    public func erase(holding found: StoreMetadata) throws(StorageError) { try erase(if: found) }

    /// Migrates the file through all steps in one transaction, while no other process has the file open.
    ///
    /// - Throws: `busy` if the file is open elsewhere.
    public func migrate(
        _ steps: [MigrationPlan], report: (MigrationReport) throws(StorageError) -> Void
    ) throws(StorageError) -> StoreMetadata {
        try whileClosed { file throws(StorageError) in try file.migrate(steps, report) }
    }

    /// Creates the file beside its final path, and renames it to this path when it is complete.
    public func load(
        _ layout: ModelLayout, as store: UUID, filling fill: (any StorageLoader) throws(StorageError) -> Void,
        verifying verify: (any StorageReader) throws(StorageError) -> Void
    ) throws(StorageError) {
        try whileClosed(orThrow: .openWhileLoading) { file throws(StorageError) in
            try file.load(StoreMetadata(store: store, model: layout.model), layout, fill, verify)
        }
    }

    /// Returns the size of the file and of its write-ahead log.
    public func byteCount() throws(StorageError) -> Int64? { file.byteCount }

    /// Returns the problems that SQLite finds in the file.
    public func damage() throws(StorageError) -> [String] { try file.damage() }

    /// Returns the statement of a request, as SQLite receives it.
    public static func explanation(
        of request: RowRequest, in layout: ModelLayout
    ) throws(StorageError) -> SQLExplanation {
        try SQLExplanation(request, SQLQueries(SQLSchema(layout), SQLiteDialect()), narrows: false)
    }

    private func erase(if found: StoreMetadata?) throws(StorageError) {
        try checkWritable()
        try session.withLock { session throws(StorageError) in
            session?.close()
            session = nil
            try file.erase(holding: found)
        }
    }

    private var path: String { fileURL.path(percentEncoded: false) }
    var file: SQLiteFile { SQLiteFile(path: path, options: settings) }

    /// Runs the body with the file, while no thread opens the file through this store.
    func whileClosed<Result: Sendable>(
        orThrow error: StorageError = .openWhileMigrating, _ body: (SQLiteFile) throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        try checkWritable()
        return try session.withLock { session throws(StorageError) in
            guard session == nil else { throw error }
            return try body(file)
        }
    }

    private func opened() throws(StorageError) -> SQLiteSession {
        guard let session = session.withLock(\.self) else { throw SQLitePool.closed }
        return session
    }
}

extension SQLiteStore: CustomDebugStringConvertible, CoreStoreDebugStringConvertible {
    /// The description of the store and its options.
    public var coreStoreDumpString: String {
        DumpTree.text([
            ("storeDescription", storeDescription),
            ("configuration", configuration as Any),
            ("fileURL", fileURL),
            ("localStorageOptions", localStorageOptions),
            ("isReadOnly", settings.isReadOnly),
            ("migrationMappingProviders", migrationMappingProviders.map { "\(type(of: $0))" }),
        ])
    }
}
