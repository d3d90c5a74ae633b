package import CofferStorage
import Foundation

/// Computes the results of functions: arithmetic, rounding, powers, bitwise and string functions.
extension ValueFunction {
    /// Returns the result for some arguments.
    package func result(_ arguments: [Value]) -> Value {
        guard arguments.count == argumentCount else { return .null }
        if isForText {
            guard case .text(let text) = arguments[0] else { return .null }
            return result(text)
        }
        guard let first = Number(arguments[0]) else { return .null }
        guard argumentCount == 2 else { return Value(result(first)) }
        guard let second = Number(arguments[1]) else { return .null }
        return Value(result(first, second))
    }

    private func result(_ text: String) -> Value {
        switch self {
        case .uppercase: .text(text.uppercased())
        case .lowercase: .text(text.lowercasedWithFinalSigma)
        case .canonical: folded(text, [.caseInsensitive, .diacriticInsensitive])
        case .caseless: folded(text, .caseInsensitive)
        case .markless: folded(text, .diacriticInsensitive)
        case .length: .integer(Int64(text.utf16.count))
        default: .null
        }
    }

    private func folded(_ text: String, _ options: TextOptions) -> Value {
        .text(String(decoding: TextFolding.fold(text, options), as: UTF8.self))
    }

    private func result(_ number: Number) -> Number? {
        switch (self, number) {
        case (.negate, .integer(let a)): a == .min ? .double(-Double(a)) : .integer(-a)
        case (.negate, .double(let a)): .double(-a)
        case (.negate, .decimal(let a)): .decimal(-a)
        case (.absolute, .integer(let a)): a == .min ? .double(-Double(a)) : .integer(abs(a))
        case (.absolute, .double(let a)): .double(abs(a))
        case (.absolute, .decimal(let a)): .decimal(abs(a))
        case (.floor, .double(let a)): .double(a.rounded(.down))
        case (.ceiling, .double(let a)): .double(a.rounded(.up))
        case (.truncate, .double(let a)): .double(a.rounded(.towardZero))
        case (.floor, .decimal(let a)): .decimal(a.rounded(.down))
        case (.ceiling, .decimal(let a)): .decimal(a.rounded(.up))
        case (.truncate, .decimal(let a)): .decimal(a.rounded(a.isSignMinus ? .up : .down))
        case (.floor, _), (.ceiling, _), (.truncate, _): number
        case (.complement, .integer(let a)): .integer(~a)
        case (.squareRoot, _): .double(number.double.squareRoot())
        case (.naturalLogarithm, _): .double(log(number.double))
        case (.commonLogarithm, _): .double(log10(number.double))
        case (.exponential, _): .double(exp(number.double))
        default: nil
        }
    }

    private func result(_ left: Number, _ right: Number) -> Number? {
        switch (left, right) {
        case (.integer(let a), .integer(let b)): integer(a, b)
        case (.double, _), (_, .double): double(left.double, right.double)
        default: decimal(left.decimal, right.decimal)
        }
    }

    private func integer(_ a: Int64, _ b: Int64) -> Number? {
        switch self {
        case .add: exact(a.addingReportingOverflow(b)) ?? .double(Double(a) + Double(b))
        case .subtract: exact(a.subtractingReportingOverflow(b)) ?? .double(Double(a) - Double(b))
        case .multiply: exact(a.multipliedReportingOverflow(by: b)) ?? .double(Double(a) * Double(b))
        case .divide: b == 0 ? nil : exact(a.dividedReportingOverflow(by: b)) ?? .double(Double(a) / Double(b))
        case .modulus: b == 0 ? nil : .integer(b == -1 ? 0 : a % b)
        case .power: power(a, b)
        case .bitwiseAnd: .integer(a & b)
        case .bitwiseOr: .integer(a | b)
        case .bitwiseXor: .integer(a ^ b)
        case .shiftLeft: .integer(a << b)
        case .shiftRight: .integer(a >> b)
        default: nil
        }
    }

    private func exact(_ result: (partialValue: Int64, overflow: Bool)) -> Number? {
        result.overflow ? nil : .integer(result.partialValue)
    }

    /// Computes a power by squaring; the result is a double if it is beyond 64 bits, or if the exponent is negative.
    private func power(_ base: Int64, _ exponent: Int64) -> Number? {
        guard exponent >= 0 else { return double(Double(base), Double(exponent)) }
        var (result, factor, rest): (Int64, Int64, Int64) = (1, base, exponent)
        while rest > 0 {
            if rest & 1 == 1 {
                let (product, overflow) = result.multipliedReportingOverflow(by: factor)
                guard !overflow else { return double(Double(base), Double(exponent)) }
                result = product
            }
            rest >>= 1
            guard rest > 0 else { break }
            let (square, overflow) = factor.multipliedReportingOverflow(by: factor)
            guard !overflow else { return double(Double(base), Double(exponent)) }
            factor = square
        }
        return .integer(result)
    }

    private func double(_ a: Double, _ b: Double) -> Number? {
        switch self {
        case .add: .double(a + b)
        case .subtract: .double(a - b)
        case .multiply: .double(a * b)
        case .divide: b == 0 ? nil : .double(a / b)
        case .modulus: b == 0 ? nil : .double(fmod(a, b))
        case .power: .double(pow(a, b))
        default: nil
        }
    }

    private func decimal(_ a: Decimal, _ b: Decimal) -> Number? {
        switch self {
        case .add: .decimal(a + b)
        case .subtract: .decimal(a - b)
        case .multiply: .decimal(a * b)
        case .divide: b == 0 ? nil : .decimal(a / b)
        case .modulus:
            if b == 0 { nil } else { .decimal(a - (a / b).rounded(a.isSignMinus == b.isSignMinus ? .down : .up) * b) }
        case .power: .double(pow(Number.decimal(a).double, Number.decimal(b).double))
        default: nil
        }
    }
}

extension Number {
    /// The number as a double, rounded to the nearest.
    package var double: Double {
        switch self {
        case .integer(let number): Double(number)
        case .double(let number): number
        case .decimal(let number): NSDecimalNumber(decimal: number).doubleValue
        }
    }

    /// The number as a decimal; the callers do not pass doubles.
    fileprivate var decimal: Decimal {
        switch self {
        case .integer(let number): Decimal(number)
        case .double(let number): Decimal(number)
        case .decimal(let number): number
        }
    }
}

extension Decimal {
    fileprivate func rounded(_ mode: NSDecimalNumber.RoundingMode) -> Decimal {
        var (source, result) = (self, Decimal())
        NSDecimalRound(&result, &source, 0, mode)
        return result
    }
}

extension Value {
    /// Converts a double to the decimal with its digits, or to null if there is none; other values are unchanged.
    ///
    /// A function of decimals has decimal results, also if an integer among the arguments was beyond 64 bits.
    package var asDecimal: Value {
        guard case .double(let number) = self else { return self }
        return Number.double(number).exactDecimal.map { $0.isNaN ? .null : .decimal($0) } ?? .null
    }

    /// Creates a value from a number; null for nil, and for a number that is NaN.
    package init(_ number: Number?) {
        switch number {
        case .integer(let number)?: self = .integer(number)
        case .double(let number)? where !number.isNaN: self = .double(number)
        case .decimal(let number)? where !number.isNaN: self = .decimal(number)
        default: self = .null
        }
    }
}
