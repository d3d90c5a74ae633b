import CBenchmarkSQLite

/// A prepared statement; only Swift's own types are between the caller and the C API.
struct RawStatement {
    private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    private let statement: OpaquePointer?

    init(_ statement: OpaquePointer?) {
        self.statement = statement
    }

    @inline(__always)
    func bind(_ value: Int, at index: Int32) {
        sqlite3_bind_int64(statement, index, Int64(value))
    }

    @inline(__always)
    func bind(_ value: Double, at index: Int32) {
        sqlite3_bind_double(statement, index, value)
    }

    @inline(__always)
    func bind(_ value: String, at index: Int32) {
        var value = value
        value.withUTF8 { text in
            text.withMemoryRebound(to: CChar.self) { characters in
                _ = sqlite3_bind_text(statement, index, characters.baseAddress, Int32(characters.count), Self.transient)
            }
        }
    }

    @inline(__always)
    func bind(_ value: String?, at index: Int32) {
        if let value {
            bind(value, at: index)
        } else {
            sqlite3_bind_null(statement, index)
        }
    }

    /// Runs a statement that returns no rows.
    @inline(__always)
    func run() throws {
        let code = sqlite3_step(statement)
        sqlite3_reset(statement)
        guard code == SQLITE_DONE else { throw BenchmarkError("sqlite3: code \(code)") }
    }

    /// Calls `body` for each row.
    @inline(__always)
    func forEachRow(_ body: (RawStatement) throws -> Void) throws {
        defer { sqlite3_reset(statement) }
        while true {
            let code = sqlite3_step(statement)
            guard code != SQLITE_DONE else { return }
            guard code == SQLITE_ROW else { throw BenchmarkError("sqlite3: code \(code)") }
            try body(self)
        }
    }

    @inline(__always)
    func integer(_ column: Int32) -> Int {
        Int(sqlite3_column_int64(statement, column))
    }

    @inline(__always)
    func double(_ column: Int32) -> Double {
        sqlite3_column_double(statement, column)
    }

    @inline(__always)
    func text(_ column: Int32) -> String {
        textOrNil(column) ?? ""
    }

    @inline(__always)
    func textOrNil(_ column: Int32) -> String? {
        guard let start = sqlite3_column_text(statement, column) else { return nil }
        let count = Int(sqlite3_column_bytes(statement, column))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }
}
