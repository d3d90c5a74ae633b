import CofferStorage

/// Runs a closure in a savepoint of the current transaction, and rolls back if the closure throws.
extension PostgreSQLConnection {
    /// Runs the body inside of the transaction under way; what it did is undone when it throws.
    ///
    /// ``lastFailure`` is why it threw, then.
    ///
    /// - Parameter keeps: whether what the body did stays, by what it returns.
    func savepoint<Success>(
        keepingIf keeps: (Success) -> Bool = { _ in true }, _ body: () throws(StorageError) -> Success
    ) throws(StorageError) -> Success {
        try execute("SAVEPOINT coffer")
        do throws(StorageError) {
            let result = try body()
            try execute(keeps(result) ? "RELEASE SAVEPOINT coffer" : "ROLLBACK TO SAVEPOINT coffer")
            return result
        } catch {
            let failure = lastFailure
            if isUsable { try execute("ROLLBACK TO SAVEPOINT coffer") }
            lastFailure = failure
            throw error
        }
    }
}
