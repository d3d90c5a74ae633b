/// The durability, the memory and the time limits of a ``SQLiteStore``.
///
/// ```swift
/// let store = SQLiteStore(fileName: "people.sqlite", settings: SQLiteConfiguration(synchronous: .full))
/// ```
public struct SQLiteConfiguration: Sendable {
    /// When a commit has reached the disk.
    public enum Synchronous: String, Sendable, CaseIterable {
        /// The file is always intact; after a power cut, not after a crash, the last commits may be missing.
        case normal = "NORMAL"
        /// Every commit outlives a power cut, at the price of waiting for the disk at each.
        case full = "FULL"
    }

    /// When a commit has reached the disk; ``Synchronous/normal`` unless told otherwise.
    public var synchronous: Synchronous
    /// The bytes of the file that each connection keeps in memory at most; 64 MiB unless told otherwise.
    public var cacheSize: Int
    /// The seconds to wait for another process that is writing before an operation throws `busy`; 5 unless told
    /// otherwise.
    public var busyTimeLimit: Double
    /// How many connections for reading stay open while no transaction reads; 4 by default.
    public var idleReaders: Int
    /// The pages the file may grow to, of 4,096 bytes each; nil for no limit.
    ///
    /// Beyond it a commit throws `full`.
    public var maximumPageCount: Int?
    /// Whether the store is only read; false unless told otherwise.
    ///
    /// Nothing is changed then, and neither the file nor its directory need be writable. A file that nobody has open is
    /// read as one that nobody writes: when somebody does meanwhile, readers throw `busy`. Beside one with a log, which
    /// somebody has open or was copied so, SQLite may make a file that it shares with others.
    public var isReadOnly: Bool
    /// Called with the text of each statement, without values, as it starts; for logs and tests.
    public var onStatement: (@Sendable (String) -> Void)?

    /// A configuration that differs from the usual one in what is given.
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
