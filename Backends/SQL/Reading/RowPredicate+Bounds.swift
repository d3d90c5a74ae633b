import CofferStorage

extension RowPredicate {
    /// Returns a bound of a column that each part of a disjunction implies; nil if there is none.
    ///
    /// The condition of a page, `a > 5 OR (a = 5 AND b > 3)`, has the bound `a >= 5`. An index begins at the bound.
    static func commonBound(of parts: [RowPredicate]) -> RowPredicate? {
        guard parts.count > 1 else { return nil }
        for case .compare(let column, let comparison, .value(let value)) in parts {
            guard case .column = column, !value.isNull, let bound = comparison.inclusive else { continue }
            if parts.allSatisfy({ $0.implies(column, bound, value) }) { return .compare(column, bound, .value(value)) }
        }
        return nil
    }

    private func implies(_ column: RowExpression, _ bound: Comparison, _ value: Value) -> Bool {
        switch self {
        case .compare(column, let comparison, .value(value)): comparison == .equal || comparison.inclusive == bound
        case .and(let parts): parts.contains { $0.implies(column, bound, value) }
        default: false
        }
    }
}

extension RowPredicate.Comparison {
    /// The comparison that is also true for equal values; nil for comparisons without a direction.
    fileprivate var inclusive: Self? {
        switch self {
        case .less, .lessOrEqual: .lessOrEqual
        case .greater, .greaterOrEqual: .greaterOrEqual
        case .equal, .notEqual: nil
        }
    }
}
