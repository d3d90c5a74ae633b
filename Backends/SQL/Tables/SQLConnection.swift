package import CofferStorage

/// The interface of a connection to a database, for the shared code of both SQL backends.
package protocol SQLConnection {
    /// The result of statements that return nothing.
    associatedtype Outcome

    /// Runs statements without values.
    @discardableResult
    func execute(_ text: String) throws(StorageError) -> Outcome

    /// Runs a statement without a result, which is prepared once.
    func run(_ text: String, _ values: [Value]) throws(StorageError)

    /// Returns the strings in the first column of a result, without nulls.
    func texts(_ text: String, _ values: [Value]) throws(StorageError) -> [String]
}
