import Foundation

/// The numbers of a list, in which an equal one is found without comparing with each.
///
/// Numbers are equal as `Number.compare(_:)` has it: beside a decimal, a double counts as the decimal with its digits.
struct NumberSet: Sendable {
    /// The numbers that are whole and fit 64 bits, whatever their case.
    private(set) var integers: Set<Int64> = []
    /// The other doubles.
    private(set) var doubles: Set<Double> = []
    /// The other decimals, ascending.
    private var decimals: [Decimal] = []
    /// The decimals with the digits of the doubles, ascending.
    private var decimalsOfDoubles: [Decimal] = []
    /// The doubles for which there is no such decimal, such as 1e200.
    private var doublesWithoutDecimal: [Double] = []

    init(_ numbers: some Sequence<Number>) {
        for number in numbers {
            if let whole = Self.whole(number) {
                integers.insert(whole)
                continue
            }
            switch number {
            case .integer: break
            case .decimal(let number): decimals.append(number)
            case .double(let number): doubles.insert(number)
            }
        }
        for number in doubles {
            if let decimal = Self.decimal(number) {
                decimalsOfDoubles.append(decimal)
            } else {
                doublesWithoutDecimal.append(number)
            }
        }
        decimals.sort()
        decimalsOfDoubles.sort()
    }

    func contains(_ number: Number) -> Bool {
        if let whole = Self.whole(number) { return integers.contains(whole) }
        switch number {
        case .integer: return false
        case .double(let double):
            if doubles.contains(double) { return true }
            guard !decimals.isEmpty else { return false }
            if let decimal = Self.decimal(double) { return Self.contains(decimals, decimal) }
            return decimals.contains { number.compare(.decimal($0)) == .orderedSame }
        case .decimal(let decimal):
            return Self.contains(decimals, decimal) || Self.contains(decimalsOfDoubles, decimal)
                || doublesWithoutDecimal.contains { number.compare(.double($0)) == .orderedSame }
        }
    }

    /// The 64-bit integer that a number equals, or nil.
    private static func whole(_ number: Number) -> Int64? {
        switch number {
        case .integer(let number): number
        case .double(let number): Int64(exactly: number)
        case .decimal(let number): Int64(number.description)
        }
    }

    private static func decimal(_ number: Double) -> Decimal? {
        number.isFinite ? Decimal(string: "\(number)") : nil
    }

    private static func contains(_ numbers: [Decimal], _ number: Decimal) -> Bool {
        var (low, high) = (0, numbers.count)
        while low < high {
            let middle = (low + high) / 2
            if numbers[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low < numbers.count && numbers[low] == number
    }
}
