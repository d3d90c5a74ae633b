public import CofferStorage

/// A store that answers requests with SQL and can explain a request as a statement.
public protocol SQLStorage: StorageInterface {
    /// Returns the SQL of a request.
    ///
    /// - Parameter layout: the model of the store. The store need not be open.
    static func explanation(of request: RowRequest, in layout: ModelLayout) throws(StorageError) -> SQLExplanation
}
