import CofferCSQLite

/// The storage classes of SQLite that columns are compared with: integer, real, blob and null.
enum SQLiteStorageClass {
    @inline(__always) static var integer: Int32 { SQLITE_INTEGER }
    @inline(__always) static var real: Int32 { SQLITE_FLOAT }
    @inline(__always) static var null: Int32 { SQLITE_NULL }
    @inline(__always) static var blob: Int32 { SQLITE_BLOB }
}
