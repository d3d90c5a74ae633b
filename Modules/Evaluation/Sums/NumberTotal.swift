package import CofferStorage
import Foundation

/// Adds numbers of any type exactly, and computes their sum and mean.
///
/// A sum of numbers of several kinds has the widest kind: double if there is a double, otherwise decimal. A sum of
/// doubles is rounded once, at the end.
package struct NumberTotal: Sendable {
    private var count = 0
    private var integers = WideInteger(0)
    private var doubles: ExactSum?
    /// The sum of decimals; NaN after a digit was lost.
    private var decimals: Decimal?

    package init() {}

    package mutating func add(_ number: Number) {
        count += 1
        switch number {
        case .integer(let number): integers &+= WideInteger(number)
        case .double(let number):
            if doubles == nil { doubles = ExactSum() }
            doubles?.add(number)
        case .decimal(let number):
            decimals = decimals.map { Self.exactSum($0, number) } ?? number
        }
    }

    /// Adds two decimals; the result is NaN if a digit is lost.
    private static func exactSum(_ first: Decimal, _ second: Decimal) -> Decimal {
        var (left, right, result) = (first, second, Decimal())
        let error = NSDecimalAdd(&result, &left, &right, .plain)
        return first.isNaN || second.isNaN || error != .noError ? .nan : result
    }

    private var total: Number {
        if let doubles {
            return .double(integers.double + doubles.value + (decimals.map { Number.decimal($0).double } ?? 0))
        }
        guard let decimals else { return integers.integer.map(Number.integer) ?? .double(integers.double) }
        return .decimal(integers.integer == 0 ? decimals : Self.exactSum(decimals, integers.decimal))
    }

    /// The sum of values of a kind; nil if it cannot be exact.
    package func sum(of kind: ColumnKind?) -> Value? {
        guard count > 0 else { return kind == .double ? .double(0) : kind == .decimal ? .decimal(0) : .integer(0) }
        switch total {
        case .integer(let sum): return .integer(sum)
        case .double(let sum): return doubles == nil ? nil : Value(.double(sum))
        case .decimal(let sum): return sum.isNaN ? nil : .decimal(sum)
        }
    }

    /// The sum in a condition, where an inexact sum is no error.
    ///
    /// A sum of integers beyond 64 bits is the nearest double. A sum of decimals with too many digits is null.
    package func nearestSum(of kind: ColumnKind?) -> Value { sum(of: kind) ?? Value(total) }

    /// The mean; null if there are no values, and nil if the sum of its decimals cannot be exact.
    package var mean: Value? {
        guard count > 0 else { return .null }
        switch total {
        case .integer(let sum): return .double(Double(sum) / Double(count))
        case .double(let sum): return Value(.double(sum / Double(count)))
        case .decimal(let sum): return sum.isNaN ? nil : .decimal(sum / Decimal(count))
        }
    }
}
