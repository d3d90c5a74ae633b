import CofferEvaluation
import CofferStorage

extension RowPredicate {
    /// Converts a comparison of a number of related objects with 0 or 1 to an existence test; nil otherwise.
    ///
    /// A database finds one related object without counting the others.
    var asExistence: RowPredicate? {
        switch self {
        case .compare(let count, let comparison, .value(.integer(let number))):
            Self.existence(count, comparison, number)
        case .compare(.value(.integer(let number)), let comparison, let count):
            Self.existence(count, comparison.mirrored, number)
        default: nil
        }
    }

    private static func existence(
        _ count: RowExpression, _ comparison: Comparison, _ number: Int64
    ) -> RowPredicate? {
        let exists: Bool
        switch (comparison, number) {
        case (.greater, 0), (.greaterOrEqual, 1), (.notEqual, 0): exists = true
        case (.equal, 0), (.lessOrEqual, 0), (.less, 1): exists = false
        default: return nil
        }
        let some: RowPredicate
        switch count {
        case .count(let relationship): some = .some(from: [], relationship: relationship, .constant(true))
        // At the end of a path, the number may be null, which differs from 0.
        case .aggregate(.count, let value, let path, let relationship, let condition):
            guard value.isNeverNull, path.isEmpty else { return nil }
            some = .some(from: path, relationship: relationship, condition)
        default: return nil
        }
        return exists ? some : .not(some)
    }
}

extension RowExpression {
    fileprivate var isNeverNull: Bool {
        switch self {
        case .key: true
        case .value(let value): !value.isNull
        default: false
        }
    }
}
