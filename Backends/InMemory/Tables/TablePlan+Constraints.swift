import CofferStorage

/// Finds the columns of the unique constraint that a row violates, for error messages.
extension TablePlan {
    /// The columns of a constraint in which a row equals another one.
    func slots(ofConstraintBrokenBy row: Row, among rows: [Row]) -> [Int] {
        let broken = uniques.first { unique in
            rows.contains { $0.key != row.key && unique.hash($0) != nil && unique.isEqual($0, row) }
        }
        return broken.map { $0.columns.map(\.slot) } ?? []
    }
}
