public import CofferStorage
import Foundation

/// A compiled order of rows: compares two rows by all sort descriptors, and breaks ties by key.
///
/// ``ReferenceEvaluator/order(_:)`` creates it.
public struct CompiledOrder: Sendable {
    let keys: [CompiledSort]

    /// Returns whether the first row comes before the second row.
    ///
    /// Ties are broken by key, ascending.
    ///
    /// - Parameter source: the source of related rows.
    public func precedes(_ left: Row, _ right: Row, in source: any RowSource) -> Bool {
        for key in keys {
            switch key.compare(left, right, source) {
            case .orderedAscending: return true
            case .orderedDescending: return false
            case .orderedSame: continue
            }
        }
        return left.key < right.key
    }
}

/// One key of a ``CompiledOrder``.
struct CompiledSort: Sendable {
    let expression: CompiledExpression
    let ascending: Bool

    func compare(_ left: Row, _ right: Row, _ source: any RowSource) -> ComparisonResult {
        let a = expression.word(left, source)
        let b = expression.word(right, source)
        let order: ComparisonResult =
            if a != b {
                a < b ? .orderedAscending : .orderedDescending
            } else if a.isExact {
                .orderedSame
            } else {
                expression.compareValues(left, right, source)
            }
        return ascending ? order : order.reversed
    }

    /// The word that sorts a row in the direction of this key.
    func word(_ row: Row, _ source: any RowSource) -> SortWord {
        let word = expression.word(row, source)
        return ascending ? word : word.reversed
    }

    /// Whether two rows with this same ``word(_:_:)`` have equal values.
    func isExact(_ word: SortWord) -> Bool { ascending ? word.isExact : word.reversed.isExact }
}
