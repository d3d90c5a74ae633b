public import CofferStorage
import Foundation

/// An order of rows made ready to run.
///
/// Made by ``ReferenceEvaluator/order(_:)``.
public struct CompiledOrder: Sendable {
    let keys: [CompiledSort]

    /// Whether the first row comes before the second.
    ///
    /// Rows that the order leaves equal come in the order of their keys.
    ///
    /// - Parameter source: where rows at the other end of relationships are found.
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

    /// The word by which rows sort in this key's direction.
    func word(_ row: Row, _ source: any RowSource) -> SortWord {
        let word = expression.word(row, source)
        return ascending ? word : word.reversed
    }

    /// Whether rows with this equal ``word(_:_:)`` have equal values.
    func isExact(_ word: SortWord) -> Bool {
        ascending ? word.isExact : word.reversed.isExact
    }
}
