package import Foundation

/// Converts a number to the equal number of another kind.
extension Number {
    /// The equal integer; nil if there is none.
    package var exactInteger: Int64? {
        switch self {
        case .integer(let number): number
        case .double(let number): Int64(exactly: number)
        case .decimal(let number): Int64(number.description)
        }
    }

    /// The equal double, or nil; for a decimal, the double with its digits.
    package var exactDouble: Double? {
        switch self {
        case .integer(let number): Double(exactly: number)
        case .double(let number): number
        case .decimal(let number):
            Double(number.description).flatMap { Number.double($0).exactDecimal == number ? $0 : nil }
        }
    }

    /// The equal decimal, or nil; for a double, the decimal with its digits.
    package var exactDecimal: Decimal? {
        switch self {
        case .integer(let number): Decimal(number)
        case .double(let number): number.isFinite ? Decimal(string: "\(number)") : nil
        case .decimal(let number): number
        }
    }
}
