import CofferCSQLite

/// The SQL function that passes its arguments, which are the columns of a row, to a visitor.
///
/// The function is the condition of a statement and is never true. The statement therefore returns no row, and one step
/// runs through all rows of a table.
enum SQLiteVisitFunction {
    static let name = "coffer_visit"

    /// - Parameter target: the target, which must live as long as the connection.
    static func register(on handle: OpaquePointer, _ target: SQLiteRowTarget) {
        sqlite3_create_function_v2(
            handle, name, -1, SQLiteRowFunction.flags, Unmanaged.passUnretained(target).toOpaque(),
            { context, count, arguments in
                guard let known = sqlite3_user_data(context), let arguments else { return }
                let columns = SQLiteColumns(UnsafeMutableBufferPointer(start: arguments, count: Int(count)))
                let mayContinue = Unmanaged<SQLiteRowTarget>.fromOpaque(known)._withUnsafeGuaranteedRef { target in
                    target.visitor?._withUnsafeGuaranteedRef { $0.receive(columns) }
                }
                // Without a result, the function returns null.
                if mayContinue != true { sqlite3_result_error_code(context, SQLITE_ABORT) }
            }, nil, nil, nil)
    }
}
