import CofferSQL
import CofferStorage

/// The result of opening a store: the connection, the metadata and the tables.
struct PostgreSQLOpenedDatabase {
    let database: PostgreSQLDatabase
    /// The connection that opened the store.
    let connection: PostgreSQLConnection
    let metadata: StoreMetadata
    let schema: SQLSchema
}
