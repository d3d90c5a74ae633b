public import CofferSQL
public import CofferStorage

/// Explains a request: returns its SQL statement as the server receives it.
extension PostgreSQLStore {
    /// Returns the statement of a request, as the server receives it.
    public static func explanation(
        of request: RowRequest, in layout: ModelLayout
    ) throws(StorageError) -> SQLExplanation {
        let schema = SQLSchema(layout, naming: PostgreSQLDialect.naming)
        return try SQLExplanation(request, SQLQueries(schema, PostgreSQLDialect()), narrows: true)
    }
}
