import CofferStorage

/// Runs a closure in a savepoint of the current transaction, and rolls back if the closure throws.
extension PostgreSQLConnection {
    /// Runs the body inside of the current transaction; rolls back its changes if it throws an error.
    ///
    /// In this case, ``lastFailure`` is the reason for the error.
    ///
    /// - Parameter keeps: returns whether the changes of the body stay, for the result of the body.
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
