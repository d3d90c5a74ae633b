import CofferStorage

/// Commits a transaction, and reports an unknown outcome if the answer of the server is lost.
extension PostgreSQLConnection {
    /// Commits the transaction.
    ///
    /// - Throws: `unknownOutcome` unless the server reports that nothing was saved.
    func commit() throws(StorageError) {
        if dropBeginning() { return }
        let outcome = try committing { () throws(StorageError) in try execute("COMMIT") }
        guard outcome.command == "COMMIT" else {
            throw StorageError(.failed, "PostgreSQL rolled back a transaction on '\(address.name)'. Try again.")
        }
    }

    /// Runs a body that commits.
    ///
    /// Only a broken constraint and a transaction that was rolled back mean that nothing was saved. Some servers
    /// answer with another error after they have saved.
    ///
    /// - Throws: `unknownOutcome` for every other error, and for a warning of the server itself. After such a
    ///   warning, the commit does not wait for its standby any more.
    func committing<Success>(_ body: () throws(StorageError) -> Success) throws(StorageError) -> Success {
        _ = takeWarning()
        let result: Success
        do throws(StorageError) {
            result = try body()
        } catch {
            if isUsable, lastFailure?.isRollback == true { throw error }
            throw unknownOutcome(after: error)
        }
        if let warning = takeWarning() {
            throw StorageError(
                .unknownOutcome,
                "The server of '\(address.name)' committed with a warning: a failover may undo the commit. Check the "
                    + "data before you repeat the transaction.", cause: warning.cause)
        }
        return result
    }

    private func unknownOutcome(after error: StorageError) -> StorageError {
        let event =
            if isSilent {
                "The server of '\(address.name)' does not answer the commit"
            } else if isUsable {
                "'\(address.name)' answered the commit with an error"
            } else {
                "The connection to '\(address.name)' was lost during the commit"
            }
        return StorageError(
            .unknownOutcome,
            "\(event): all changes were saved, or none. Check the data before you repeat the transaction.",
            cause: error.cause)
    }
}
