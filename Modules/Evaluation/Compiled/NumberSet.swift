import Foundation

/// A set of numbers from a list, which finds an equal number without comparing each number.
///
/// Numbers are equal if `Number.compare(_:)` returns that they are equal. This is not an equivalence relation: 2^60 as
/// a double equals the integer 2^60, which has 19 digits, and also the decimal of the 16 digits with which the double
/// is printed. So each type has its own sets.
struct NumberSet: Sendable {
    /// The integers that equal a number of the list.
    private(set) var integers: Set<Int64> = []
    /// The integers of the list.
    private var ownIntegers: Set<Int64> = []
    private var doubles: Set<Double> = []
    /// The decimals of the list, ascending.
    private var decimals: [Decimal] = []
    /// The decimals with the digits of the doubles, ascending.
    private var decimalsOfDoubles: [Decimal] = []
    /// The doubles that `Decimal` cannot represent, such as 1e200.
    private var doublesWithoutDecimal: [Double] = []

    /// - Parameter holdsDecimals: whether the set will be searched for decimals.
    init(_ numbers: some Sequence<Number>, holdsDecimals: Bool = true) {
        for number in numbers {
            switch number {
            case .integer(let number): ownIntegers.insert(number)
            case .double(let number): doubles.insert(number)
            case .decimal(let number): decimals.append(number)
            }
        }
        for number in doubles where holdsDecimals {
            if let decimal = Number.double(number).exactDecimal {
                decimalsOfDoubles.append(decimal)
            } else {
                doublesWithoutDecimal.append(number)
            }
        }
        decimals.sort()
        decimalsOfDoubles.sort()
        integers = ownIntegers
        integers.formUnion(doubles.lazy.compactMap { Int64(exactly: $0) })
        integers.formUnion(decimals.lazy.compactMap { Number.decimal($0).exactInteger })
    }

    func contains(_ number: Number) -> Bool {
        switch number {
        case .integer(let integer): return integers.contains(integer)
        case .double(let double):
            if doubles.contains(double) { return true }
            if let whole = number.exactInteger, ownIntegers.contains(whole) { return true }
            guard !decimals.isEmpty else { return false }
            if let decimal = number.exactDecimal { return Search.contains(decimal, in: decimals) }
            return decimals.contains { number.compare(.decimal($0)) == .orderedSame }
        case .decimal(let decimal):
            if Search.contains(decimal, in: decimals) || Search.contains(decimal, in: decimalsOfDoubles) { return true }
            if !ownIntegers.isEmpty, let whole = number.exactInteger, ownIntegers.contains(whole) { return true }
            return doublesWithoutDecimal.contains { number.compare(.double($0)) == .orderedSame }
        }
    }
}
