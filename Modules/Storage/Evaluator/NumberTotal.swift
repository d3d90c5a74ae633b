import Foundation

/// A sum of numbers in the making: exact for integers and decimals; doubles are added in the order they come in.
///
/// Integers whose sum is computed may come with doubles among them, where one was beyond 64 bits: the sum is a double
/// then.
package struct NumberTotal: Sendable {
    private var count = 0
    private var integers: Int128 = 0
    private var doubles: Double?
    /// Not a number once a digit was lost.
    private var decimals: Decimal?

    package init() {}

    package mutating func add(_ number: Number) {
        count += 1
        switch number {
        case .integer(let number): integers += Int128(number)
        case .double(let number): doubles = (doubles ?? 0) + number
        case .decimal(let number):
            guard let sum = decimals else {
                decimals = number
                return
            }
            var (left, right, result) = (sum, number, Decimal())
            let error = NSDecimalAdd(&result, &left, &right, .plain)
            decimals = sum.isNaN || error != .noError ? .nan : result
        }
    }

    /// The sum of values of a kind; nil where it cannot be kept exactly.
    package func sum(of kind: ColumnKind?) -> Value? {
        if let doubles { return Value(.double(Double(integers) + doubles)) }
        if let decimals { return decimals.isNaN ? nil : .decimal(decimals) }
        switch kind {
        case .double: return .double(0)
        case .decimal: return .decimal(0)
        default: return Int64(exactly: integers).map(Value.integer)
        }
    }

    /// The sum as conditions see it: that of integers beyond 64 bits is the nearest double, that of decimals with too
    /// many digits null.
    package func nearestSum(of kind: ColumnKind?) -> Value {
        sum(of: kind) ?? (decimals == nil ? .double(Double(integers)) : .null)
    }

    /// The mean, null for no values; nil where it is one of a sum of decimals that cannot be kept exactly.
    package var mean: Value? {
        guard count > 0 else { return .null }
        if let doubles { return Value(.double((Double(integers) + doubles) / Double(count))) }
        guard let decimals else { return .double(Double(integers) / Double(count)) }
        return decimals.isNaN ? nil : .decimal(decimals / Decimal(count))
    }
}
