/// Columns by index: either the columns of a statement's current row, or the arguments of an SQL function.
protocol SQLiteColumns {
    /// Returns a column, counted from 0.
    func column(_ column: Int32) -> SQLiteColumn
}

/// The arguments of an SQL function, valid until the function returns.
struct SQLiteArguments: SQLiteColumns {
    private let start: UnsafeMutablePointer<OpaquePointer?>

    @inline(__always) init(_ start: UnsafeMutablePointer<OpaquePointer?>) { self.start = start }

    @inline(__always) func column(_ column: Int32) -> SQLiteColumn { SQLiteColumn(start[Int(column)]) }
}
