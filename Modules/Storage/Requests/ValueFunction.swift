/// A function of conditions, such as `add` or `uppercase`: its number of arguments, and the kind of its result.
///
/// The result is null if an argument is null, or if the function does not support an argument. A result that is not a
/// number becomes null. The result of a division by zero is null.
///
/// - Integers and booleans give integers. If a result is beyond 64 bits, it is the nearest double
///   (`computing/beyond-64-bits`). A division of two integers truncates the fraction (`computing/division`).
/// - With a double, or for roots, logarithms and exponentials, the result is a double.
/// - Decimals with decimals, and decimals with integers, give decimals.
public enum ValueFunction: String, Hashable, Sendable, CaseIterable {
    case add, subtract, multiply, divide
    /// The remainder of a division with a whole quotient; it has the sign of the dividend.
    case modulus
    case power
    case negate, absolute, floor, ceiling, truncate
    case squareRoot, naturalLogarithm, commonLogarithm, exponential
    /// These functions are for integers only; a shift by a negative number shifts in the other direction.
    case bitwiseAnd, bitwiseOr, bitwiseXor, shiftLeft, shiftRight, complement
    /// These functions are for strings only, and do not depend on a language.
    case uppercase, lowercase
    /// A string in lower case and without diacritics; a comparison with `[cd]` uses this form.
    case canonical
    /// A string without the differences of case; a comparison with `[c]` uses this form.
    case caseless
    /// A string without diacritics; a comparison with `[d]` uses this form.
    case markless
    /// The number of UTF-16 code units of a string.
    case length

    /// The number of arguments.
    public var argumentCount: Int {
        switch self {
        case .add, .subtract, .multiply, .divide, .modulus, .power, .bitwiseAnd, .bitwiseOr, .bitwiseXor, .shiftLeft,
            .shiftRight:
            2
        default: 1
        }
    }

    /// Whether the arguments are strings, and not numbers.
    public var isForText: Bool {
        switch self {
        case .uppercase, .lowercase, .canonical, .caseless, .markless, .length: true
        default: false
        }
    }

    /// Whether the arguments are integers.
    public var isForIntegers: Bool {
        switch self {
        case .bitwiseAnd, .bitwiseOr, .bitwiseXor, .shiftLeft, .shiftRight, .complement: true
        default: false
        }
    }

    /// Returns the kind of the result for arguments of some kinds; nil is the kind of null.
    ///
    /// If an integer result is too large, it is a double nevertheless.
    public func kind(of arguments: [ColumnKind?]) -> ColumnKind {
        switch self {
        case .uppercase, .lowercase, .canonical, .caseless, .markless: return .text
        case .length: return .integer
        case .squareRoot, .naturalLogarithm, .commonLogarithm, .exponential: return .double
        default: break
        }
        if arguments.contains(.double) { return .double }
        guard arguments.contains(.decimal) else { return .integer }
        return self == .power ? .double : .decimal
    }
}
