public import CofferStorage

/// A store that answers requests by SQL.
public protocol SQLStorage: StorageInterface {
    /// What a request becomes.
    ///
    /// - Parameter layout: the model of the store; it need not be open.
    static func explanation(of request: RowRequest, in layout: ModelLayout) throws(StorageError) -> SQLExplanation
}
