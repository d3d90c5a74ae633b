/// The sink for the rows of the statement that is running on a connection.
// Sendable: not; used by the thread that uses the connection.
final class SQLiteRowTarget {
    /// The sink, which lives longer than the step; nil between the steps.
    @exclusivity(unchecked) var sink: Unmanaged<SQLiteRowSink>?
}
