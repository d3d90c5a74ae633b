import CofferStorage
import Foundation

/// Creates decimals and conditions for cases in a short notation.
extension Value {
    /// A decimal with two places.
    static func decimal(cents: Int64) -> Value { .decimal(Decimal(cents) / 100) }

    /// A decimal from its digits.
    static func decimal(_ digits: String) throws -> Value {
        guard let number = Decimal(string: digits) else { throw Mismatch("'\(digits)' is not a decimal number.") }
        return .decimal(number)
    }
}

/// Short ways to write predicates.
func == (left: RowExpression, right: Value) -> RowPredicate { .compare(left, .equal, .value(right)) }
func != (left: RowExpression, right: Value) -> RowPredicate { .compare(left, .notEqual, .value(right)) }
func < (left: RowExpression, right: Value) -> RowPredicate { .compare(left, .less, .value(right)) }
func > (left: RowExpression, right: Value) -> RowPredicate { .compare(left, .greater, .value(right)) }
