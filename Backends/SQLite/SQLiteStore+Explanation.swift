public import CofferSQL
public import CofferStorage

/// Explains a request: returns its SQL statement as SQLite receives it.
extension SQLiteStore {
    /// Returns the statement of a request, as SQLite receives it.
    public static func explanation(
        of request: RowRequest, in layout: ModelLayout
    ) throws(StorageError) -> SQLExplanation {
        try SQLExplanation(request, SQLQueries(SQLSchema(layout), SQLiteDialect()), narrows: false)
    }
}
