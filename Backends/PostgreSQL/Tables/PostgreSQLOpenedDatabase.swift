import CofferSQL
import CofferStorage

/// The result of opening a store: the connection, the metadata and the tables.
struct PostgreSQLOpenedDatabase {
    let database: PostgreSQLDatabase
    /// The connection that was opened with it.
    let connection: PostgreSQLConnection
    let metadata: StoreMetadata
    let schema: SQLSchema
}
