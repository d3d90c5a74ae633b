import CofferSchema

/// Logs a warning if a clause replaces an earlier clause of the same kind, and has the message of the warning.
extension FetchRequest {
    /// Logs a warning that a clause replaces an earlier clause of its kind.
    func warnOverwritten(_ earlier: String, by later: String, advice: String) {
        Diagnostics.log(.warning, "The \(earlier) on '\(entityName)' was overwritten by \(later). \(advice)")
    }
}
