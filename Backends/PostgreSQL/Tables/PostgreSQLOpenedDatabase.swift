import CofferSQL
import CofferStorage

/// A database that was opened as a store.
struct PostgreSQLOpenedDatabase {
    let database: PostgreSQLDatabase
    /// The connection that was opened with it.
    let connection: PostgreSQLConnection
    let metadata: StoreMetadata
    let schema: SQLSchema
}
