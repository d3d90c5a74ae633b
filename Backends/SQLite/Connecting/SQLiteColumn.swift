import CofferCSQLite

/// Reads an argument of an SQL function, or, until the next step, a column of the current row of a statement.
///
/// SQLite allows functions for protected values here, because the connections have no mutex. Separate lookups of the
/// column for its type, its length and its content took a third of a fetch.
struct SQLiteColumn {
    private let value: OpaquePointer?

    @inline(__always) init(_ value: OpaquePointer?) { self.value = value }

    @inline(__always) var type: Int32 { sqlite3_value_type(value) }
    @inline(__always) var integer: Int64 { sqlite3_value_int64(value) }
    @inline(__always) var double: Double { sqlite3_value_double(value) }
    @inline(__always) var byteCount: Int { Int(sqlite3_value_bytes(value)) }

    /// The bytes of a string, or of another value as a string.
    @inline(__always)
    var textBytes: UnsafeRawBufferPointer {
        let start = sqlite3_value_text(value)
        return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : byteCount)
    }

    /// The bytes of a blob or a string.
    @inline(__always)
    var blobBytes: UnsafeRawBufferPointer {
        let start = sqlite3_value_blob(value)
        return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : byteCount)
    }
}
