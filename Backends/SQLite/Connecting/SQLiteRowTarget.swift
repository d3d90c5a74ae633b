/// The sink or the visitor for the rows of the statement that is running on a connection.
// Not Sendable: only the thread that uses the connection uses the target.
final class SQLiteRowTarget {
    /// The sink, which lives longer than the step; nil between the steps.
    @exclusivity(unchecked) var sink: Unmanaged<SQLiteRowSink>?
    /// The visitor, which lives longer than the step; nil between the steps.
    @exclusivity(unchecked) var visitor: Unmanaged<SQLiteRowVisitor>?
}
