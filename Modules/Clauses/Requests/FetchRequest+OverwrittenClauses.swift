import CofferSchema

extension FetchRequest {
    /// Tells that a clause replaces an earlier one of its kind.
    func warnOverwritten(_ earlier: String, by later: String, advice: String) {
        Diagnostics.log(.warning, "The \(earlier) on '\(entityName)' was overwritten by \(later). \(advice)")
    }
}
