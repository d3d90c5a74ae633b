import CofferSQL
import CofferStorage

/// The result of opening a file: the connection, the metadata and the tables.
struct SQLiteOpenedFile {
    let path: String
    /// The connection that opened the file.
    let connection: SQLiteConnection
    let metadata: StoreMetadata
    let schema: SQLSchema
    /// The state of a read-only file when it was opened.
    var stamp: SQLiteStamp?
    /// The statements that each connection needs to read a file of an older format.
    var views: [String] = []
}
