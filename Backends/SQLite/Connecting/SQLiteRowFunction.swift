import CofferCSQLite

/// The SQL function that creates a packed row from its arguments, which are the columns of the row.
///
/// Reading ten columns of a row by `sqlite3_column_value` takes a fifth of the instructions of a fetch. A function
/// receives its arguments without a call for each of them.
enum SQLiteRowFunction {
    static let name = "coffer_row"
    /// Only statements of the store call such a function, and not definitions in the file.
    ///
    /// The name SQLITE_DIRECTONLY is newer than some headers of SQLite, and such a SQLite ignores the flag.
    static let flags = SQLITE_UTF8 | 0x80000

    /// - Parameter target: the target, which must live as long as the connection.
    static func register(on handle: OpaquePointer, _ target: SQLiteRowTarget) {
        sqlite3_create_function_v2(
            handle, name, -1, flags, Unmanaged.passUnretained(target).toOpaque(),
            { context, count, arguments in
                guard let known = sqlite3_user_data(context), let arguments else { return }
                let number = Unmanaged<SQLiteRowTarget>.fromOpaque(known)._withUnsafeGuaranteedRef { target in
                    target.sink?._withUnsafeGuaranteedRef {
                        $0.receive(
                            SQLiteColumns(UnsafeMutableBufferPointer(start: arguments, count: Int(count))), count: count
                        )
                    }
                }
                guard let number = number else { return sqlite3_result_error_code(context, SQLITE_ABORT) }
                sqlite3_result_int64(context, number)
            }, nil, nil, nil)
    }
}
