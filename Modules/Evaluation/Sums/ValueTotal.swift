package import CofferStorage
import Foundation

/// Computes an aggregate of values one by one, and ignores nulls.
package struct ValueTotal: Sendable {
    private let aggregate: ValueRequest.Aggregate
    private let kind: ColumnKind?
    private var count = 0
    private var total = NumberTotal()
    private var extreme = Value.null

    /// - Parameter kind: the kind of the values; nil if it is unknown, or if the values have several kinds.
    package init(_ aggregate: ValueRequest.Aggregate, of kind: ColumnKind?) {
        self.aggregate = aggregate
        self.kind = kind
    }

    package mutating func add(_ value: Value) {
        if value.isNull { return }
        switch aggregate {
        case .count: count += 1
        case .sum, .average: if let number = Number(value) { total.add(number) }
        case .minimum: replace(value, whenIt: .orderedAscending)
        case .maximum: replace(value, whenIt: .orderedDescending)
        }
    }

    private mutating func replace(_ value: Value, whenIt order: ComparisonResult) {
        if extreme.isNull || ValueOrdering.compare(value, extreme) == order { extreme = value }
    }

    /// The result; nil if it is a sum, or the mean of a sum, that cannot be exact.
    package var exact: Value? {
        switch aggregate {
        case .count: .integer(Int64(count))
        case .sum: total.sum(of: kind)
        case .average: total.mean
        case .minimum, .maximum: extreme
        }
    }

    /// The result in a condition; see ``NumberTotal/nearestSum(of:)``.
    package var nearest: Value { exact ?? (aggregate == .sum ? total.nearestSum(of: kind) : .null) }
}
