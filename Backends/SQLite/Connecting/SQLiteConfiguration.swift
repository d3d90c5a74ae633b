/// The settings of a `SQLiteStore` and their defaults: durability, cache, busy time limit, idle readers, size.
///
/// ```swift
/// let store = SQLiteStore(fileName: "people.sqlite", settings: SQLiteConfiguration(synchronous: .full))
/// ```
public struct SQLiteConfiguration: Sendable {
    /// The durability of commits.
    public enum Synchronous: String, Sendable, CaseIterable {
        /// The file is always intact; after a power cut, but not after a crash, the last commits may be missing.
        case normal = "NORMAL"
        /// Every commit survives a power cut, but must wait for the disk.
        case full = "FULL"
    }

    /// The durability of commits; ``Synchronous/normal`` by default.
    public var synchronous: Synchronous
    /// The maximum number of bytes of the file that each connection keeps in memory; 64 MiB by default.
    public var cacheSize: Int
    /// The seconds to wait while another process writes; 5 by default.
    ///
    /// After this time, the operation throws `busy`.
    public var busyTimeLimit: Double
    /// The number of connections for reading that stay open while no transaction reads; 4 by default.
    public var idleReaders: Int
    /// The maximum size of the file in pages of 4,096 bytes; nil for no limit.
    ///
    /// If a commit needs more pages, it throws `full`.
    public var maximumPageCount: Int?
    /// Whether the store is read-only; false by default.
    ///
    /// The store then changes nothing, and the file and its directory need not be writable. If no process has the file
    /// open, the store reads the file as one that no process writes. If a process writes the file nevertheless, readers
    /// throw `busy`. If the file has a write-ahead log, because a process has it open or because the log was copied
    /// with it, SQLite may create the shared-memory file beside it.
    public var isReadOnly: Bool
    /// A closure for logs and tests that receives the string of each statement at its start, without values.
    public var onStatement: (@Sendable (String) -> Void)?

    /// Creates a configuration that differs from the defaults in the given values.
    public init(
        synchronous: Synchronous = .normal, cacheSize: Int = 64 << 20, busyTimeLimit: Double = 5, idleReaders: Int = 4,
        maximumPageCount: Int? = nil, isReadOnly: Bool = false, onStatement: (@Sendable (String) -> Void)? = nil
    ) {
        self.synchronous = synchronous
        self.cacheSize = cacheSize
        self.busyTimeLimit = busyTimeLimit
        self.idleReaders = idleReaders
        self.maximumPageCount = maximumPageCount
        self.isReadOnly = isReadOnly
        self.onStatement = onStatement
    }
}
