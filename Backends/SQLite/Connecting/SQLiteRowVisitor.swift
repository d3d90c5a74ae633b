import CofferStorage

/// Receives the columns of the rows of a statement from ``SQLiteVisitFunction``, one row at a time.
///
/// The rows arrive while SQLite runs one step of the statement.
final class SQLiteRowVisitor {
    private let body: (SQLiteColumns) throws(StorageError) -> Void
    @exclusivity(unchecked) private(set) var failure: StorageError?

    init(_ body: @escaping (SQLiteColumns) throws(StorageError) -> Void) { self.body = body }

    /// Returns false to end the statement, because this row has failed.
    @inline(__always)
    func receive(_ columns: SQLiteColumns) -> Bool {
        do throws(StorageError) {
            try body(columns)
            return true
        } catch {
            failure = error
            return false
        }
    }
}
