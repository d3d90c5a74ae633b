import CofferSQL
import CofferStorage

/// The result of opening a file: the connection, the metadata and the tables.
struct SQLiteOpenedFile {
    let path: String
    /// The connection that was opened with it.
    let connection: SQLiteConnection
    let metadata: StoreMetadata
    let schema: SQLSchema
    /// The state of a read-only file when it was opened.
    var stamp: SQLiteStamp?
    /// What each connection needs to read a file of an older format.
    var views: [String] = []
}
