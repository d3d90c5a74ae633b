public import CofferSchema
import CofferStorage
import CofferStorageTools

/// A range of values in a condition: `18...65 ~= \.$age`, `start..<end ~= \.$born`, `...1.5 ~= \.$height`.
///
/// Only the ranges of the standard library conform. A null value is in no range.
public protocol QueryableRange<Bound> {
    /// The type of the values.
    associatedtype Bound: Comparable & FieldStorableType

    /// Returns a condition that the value of an operand is in the range.
    func _contains<P: WhereOperand>(_ operand: P) -> Where<P.ObjectType>
}

extension ClosedRange: QueryableRange where Bound: FieldStorableType {
    /// Tests that the value is neither less than the lower bound nor greater than the upper bound.
    public func _contains<P: WhereOperand>(_ operand: P) -> Where<P.ObjectType> {
        operand.comparing(.between, .values([lowerBound._storedValue, upperBound._storedValue]))
    }
}

extension Range: QueryableRange where Bound: FieldStorableType {
    /// Tests that the value is not less than the lower bound, and is less than the upper bound.
    public func _contains<P: WhereOperand>(_ operand: P) -> Where<P.ObjectType> {
        // With many values, two different values could fulfil the two conditions.
        guard operand._quantifier == .one else {
            return Where(
                .invalid(
                    "'\(operand._expression)' has many values. Use a range 'a...b' instead of 'a..<b'."
                )
            )
        }
        return operand.comparing(.greaterOrEqual, .value(lowerBound._storedValue))
            && operand.comparing(.less, .value(upperBound._storedValue))
    }
}

extension PartialRangeFrom: QueryableRange where Bound: FieldStorableType {
    /// Tests that the value is not less than the bound.
    public func _contains<P: WhereOperand>(_ operand: P) -> Where<P.ObjectType> {
        operand.comparing(.greaterOrEqual, .value(lowerBound._storedValue))
    }
}

extension PartialRangeThrough: QueryableRange where Bound: FieldStorableType {
    /// Tests that the value is not greater than the bound.
    public func _contains<P: WhereOperand>(_ operand: P) -> Where<P.ObjectType> {
        operand.comparing(.lessOrEqual, .value(upperBound._storedValue))
    }
}

extension PartialRangeUpTo: QueryableRange where Bound: FieldStorableType {
    /// Tests that the value is less than the bound.
    public func _contains<P: WhereOperand>(_ operand: P) -> Where<P.ObjectType> {
        operand.comparing(.less, .value(upperBound._storedValue))
    }
}

extension WhereOperand {
    /// Returns a condition that the value is an element of a sequence.
    func isMember<S: Sequence>(of sequence: S, _ value: (S.Element) -> Value) -> Where<ObjectType> {
        comparing(.isIn, .values(sequence.map(value)))
    }
}
