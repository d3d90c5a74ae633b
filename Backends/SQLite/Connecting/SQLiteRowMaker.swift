import CofferStorage

/// Creates the rows of a statement from their columns.
protocol SQLiteRowMaker: AnyObject, Sendable {
    /// The columns of a row, as the statement selects them.
    var selection: String { get }
    /// The number of these columns.
    var columnCount: Int32 { get }

    /// Returns the row of some columns.
    ///
    /// - Parameter arena: allocates the row.
    /// - Throws: `invalidValue` if the file contains a value that its column cannot have.
    func row(_ columns: SQLiteColumns, in arena: inout RowArena) throws(StorageError) -> Row
}
