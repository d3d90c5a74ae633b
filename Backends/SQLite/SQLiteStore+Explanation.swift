public import CofferSQL
public import CofferStorage

extension SQLiteStore {
    /// The statement that a file is asked.
    public static func explanation(
        of request: RowRequest, in layout: ModelLayout
    ) throws(StorageError) -> SQLExplanation {
        try SQLExplanation(request, SQLQueries(SQLSchema(layout), SQLiteDialect()), narrows: false)
    }
}
