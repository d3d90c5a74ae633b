package import CofferStorage
import Foundation

/// A sum of numbers in the making, exact for every kind; a sum of doubles is rounded once, at the end.
///
/// Numbers of several kinds add up to the widest of them: to a double where there is one, else to a decimal.
package struct NumberTotal: Sendable {
    private var count = 0
    private var integers = WideInteger(0)
    private var doubles: ExactSum?
    /// Not a number once a digit was lost.
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

    /// Not a number when a digit is lost.
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

    /// The sum of values of a kind; nil where it cannot be kept exactly.
    package func sum(of kind: ColumnKind?) -> Value? {
        guard count > 0 else { return kind == .double ? .double(0) : kind == .decimal ? .decimal(0) : .integer(0) }
        switch total {
        case .integer(let sum): return .integer(sum)
        case .double(let sum): return doubles == nil ? nil : Value(.double(sum))
        case .decimal(let sum): return sum.isNaN ? nil : .decimal(sum)
        }
    }

    /// The sum as conditions see it: that of integers beyond 64 bits is the nearest double, that of decimals with too
    /// many digits null.
    package func nearestSum(of kind: ColumnKind?) -> Value {
        sum(of: kind) ?? Value(total)
    }

    /// The mean, null for no values; nil where it is one of a sum of decimals that cannot be kept exactly.
    package var mean: Value? {
        guard count > 0 else { return .null }
        switch total {
        case .integer(let sum): return .double(Double(sum) / Double(count))
        case .double(let sum): return Value(.double(sum / Double(count)))
        case .decimal(let sum): return sum.isNaN ? nil : .decimal(sum / Decimal(count))
        }
    }
}
