package import CofferStorage
import Foundation

/// Converts a value to an equal value of the kind of a column, such as 2.0 to 2, for lookups by value.
extension Value {
    /// The equal value in the form of a column of a kind; nil if it is not known.
    package func key(_ kind: ColumnKind) -> Value? {
        switch (kind, self) {
        case (.integer, .integer), (.double, .double), (.decimal, .decimal), (.boolean, .boolean), (.text, .text),
            (.blob, .blob), (.date, .date):
            self
        case (.integer, .double(let number)): Int64(exactly: number).map { .integer($0) }
        case (.integer, .decimal(let number)): Int64(number.description).map { .integer($0) }
        case (.double, .integer(let number)): Double(exactly: number).map { .double($0) }
        case (.double, .decimal(let number)): Self.double(number).map { .double($0) }
        case (.decimal, .integer(let number)): .decimal(.init(number))
        case (.decimal, .double(let number)): Self.decimal(number).map { .decimal($0) }
        default: nil
        }
    }

    /// The decimal with the digits of a double.
    private static func decimal(_ number: Double) -> Decimal? {
        number.isFinite ? Decimal(string: "\(number)") : nil
    }

    /// The double with the digits of a decimal.
    private static func double(_ number: Decimal) -> Double? {
        Double(number.description).flatMap { decimal($0) == number ? $0 : nil }
    }
}
