package import CofferStorage
import Foundation

/// Evaluates comparisons of two values by the rules of `RowPredicate`.
extension RowPredicate.Comparison {
    /// Whether the comparison holds for two values, by the rules of `RowPredicate`.
    package func holds(_ left: Value, _ right: Value) -> Bool {
        switch self {
        case .equal: ValueOrdering.isEqual(left, right)
        case .notEqual: !ValueOrdering.isEqual(left, right)
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            ValueOrdering.compare(left, right).map(holds) ?? false
        }
    }

    /// Whether the comparison holds for two values with a given order.
    func holds(_ order: ComparisonResult) -> Bool {
        switch self {
        case .equal: order == .orderedSame
        case .notEqual: order != .orderedSame
        case .less: order == .orderedAscending
        case .lessOrEqual: order != .orderedDescending
        case .greater: order == .orderedDescending
        case .greaterOrEqual: order != .orderedAscending
        }
    }

    /// The comparison with exchanged operands.
    package var mirrored: RowPredicate.Comparison {
        switch self {
        case .equal, .notEqual: self
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        }
    }
}
