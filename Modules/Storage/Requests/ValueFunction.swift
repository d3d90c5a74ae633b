/// Computes a value from others.
///
/// A null argument makes the result null, and so does one that the function is not for. A result that is not a number
/// is null too, as is a division by zero.
///
/// - Integers and booleans give integers; where the result is beyond 64 bits, it is the nearest double. A division of
///   two integers leaves out the fraction.
/// - With a double, or for roots, logarithms and exponentials, the result is a double.
/// - Decimals among themselves or with integers give decimals.
public enum ValueFunction: String, Hashable, Sendable, CaseIterable {
    case add, subtract, multiply, divide
    /// What a division with a whole result leaves, with the sign of the dividend.
    case modulus
    case power
    case negate, absolute, floor, ceiling, truncate
    case squareRoot, naturalLogarithm, commonLogarithm, exponential
    /// These are for integers only. Shifting by a negative number shifts the other way.
    case bitwiseAnd, bitwiseOr, bitwiseXor, shiftLeft, shiftRight, complement
    /// These are for texts only, and no language has rules of its own.
    case uppercase, lowercase
    /// A text in lower case and without diacritics: what `[cd]` compares.
    case canonical
    /// A text as `[c]` compares it.
    case caseless
    /// A text as `[d]` compares it.
    case markless
    /// How many UTF-16 code units a text has.
    case length

    /// How many arguments there are.
    public var argumentCount: Int {
        switch self {
        case .add, .subtract, .multiply, .divide, .modulus, .power, .bitwiseAnd, .bitwiseOr, .bitwiseXor, .shiftLeft,
            .shiftRight:
            2
        default: 1
        }
    }

    /// Whether the arguments are texts, and not numbers.
    public var isForText: Bool {
        switch self {
        case .uppercase, .lowercase, .canonical, .caseless, .markless, .length: true
        default: false
        }
    }

    /// Whether the arguments are whole numbers.
    public var isForIntegers: Bool {
        switch self {
        case .bitwiseAnd, .bitwiseOr, .bitwiseXor, .shiftLeft, .shiftRight, .complement: true
        default: false
        }
    }

    /// The kind of the result for arguments of some kinds, nil being that of null.
    ///
    /// An integer result too large for one is a double nevertheless.
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
