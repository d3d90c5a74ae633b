/// The options of a connection: durability, cache size, busy time limit and file size limit.
struct SQLiteConnectionOptions: Sendable {
    /// The value of `PRAGMA synchronous`.
    var synchronous: String
    /// The bytes of the file that the connection keeps in memory at most.
    var cacheSize: Int
    /// The seconds to wait for another process that is writing.
    var busyTimeLimit: Double
    /// The pages that the file may grow to; nil for no limit.
    var maximumPageCount: Int?
    /// Called with the text of each statement as it starts.
    var onStatement: (@Sendable (String) -> Void)?
}
