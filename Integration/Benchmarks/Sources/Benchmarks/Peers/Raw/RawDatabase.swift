import CBenchmarkSQLite
import Foundation

/// A connection of the sqlite3 C API, and the statements prepared on it.
final class RawDatabase {
    private var connection: OpaquePointer?

    init(path: String) throws {
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        try check(sqlite3_open_v2(path, &connection, flags, nil))
    }

    func execute(_ sql: String) throws {
        try check(sqlite3_exec(connection, sql, nil, nil, nil))
    }

    func prepare(_ sql: String) throws -> RawStatement {
        var statement: OpaquePointer?
        try check(sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
        return RawStatement(statement)
    }

    var lastInsertedKey: Int {
        Int(sqlite3_last_insert_rowid(connection))
    }

    func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        try execute("BEGIN IMMEDIATE")
        let result = try body()
        try execute("COMMIT")
        return result
    }

    private func check(_ code: Int32) throws {
        guard code == SQLITE_OK else {
            throw BenchmarkError("sqlite3: \(String(cString: sqlite3_errmsg(connection)))")
        }
    }
}
