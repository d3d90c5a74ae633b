/// The columns of a row: the arguments of an SQL function, or the columns of the current row of a statement.
///
/// They are valid until the function returns, or until the next step of the statement.
struct SQLiteColumns {
    private let values: UnsafeMutableBufferPointer<OpaquePointer?>

    @inline(__always) init(_ values: UnsafeMutableBufferPointer<OpaquePointer?>) { self.values = values }

    /// Returns a column, counted from 0.
    @inline(__always) func column(_ column: Int32) -> SQLiteColumn { SQLiteColumn(values[Int(column)]) }
}
