public import CofferSchema
import CofferStorage
import CofferStorageTools

/// A range that a field's values can be looked for in: `18...65 ~= \.$age`, `start..<end ~= \.$born`, `...1.5 ~= \.$height`.
///
/// The ranges of the standard library are all there are. A value that is missing is in none of them.
public protocol QueryableRange<Bound> {
    /// The type of the values.
    associatedtype Bound: Comparable & FieldStorableType

    /// Whether a value is in the range.
    func _contains<P: WhereOperand>(_ operand: P) -> Where<P.ObjectType>
}

extension ClosedRange: QueryableRange where Bound: FieldStorableType {
    /// Neither less than the first bound nor greater than the second.
    public func _contains<P: WhereOperand>(_ operand: P) -> Where<P.ObjectType> {
        operand.comparing(.between, .values([lowerBound._storedValue, upperBound._storedValue]))
    }
}

extension Range: QueryableRange where Bound: FieldStorableType {
    /// Not less than the first bound, and less than the second.
    public func _contains<P: WhereOperand>(_ operand: P) -> Where<P.ObjectType> {
        // Two conditions on many values need not be fulfilled by the same one.
        guard operand._quantifier == .one else {
            return Where(
                .invalid(
                    "'\(operand._expression)' has many values, which can be looked for in 'a...b', not in 'a..<b'."
                )
            )
        }
        return operand.comparing(.greaterOrEqual, .value(lowerBound._storedValue))
            && operand.comparing(.less, .value(upperBound._storedValue))
    }
}

extension PartialRangeFrom: QueryableRange where Bound: FieldStorableType {
    /// Not less than the bound.
    public func _contains<P: WhereOperand>(_ operand: P) -> Where<P.ObjectType> {
        operand.comparing(.greaterOrEqual, .value(lowerBound._storedValue))
    }
}

extension PartialRangeThrough: QueryableRange where Bound: FieldStorableType {
    /// Not greater than the bound.
    public func _contains<P: WhereOperand>(_ operand: P) -> Where<P.ObjectType> {
        operand.comparing(.lessOrEqual, .value(upperBound._storedValue))
    }
}

extension PartialRangeUpTo: QueryableRange where Bound: FieldStorableType {
    /// Less than the bound.
    public func _contains<P: WhereOperand>(_ operand: P) -> Where<P.ObjectType> {
        operand.comparing(.less, .value(upperBound._storedValue))
    }
}

extension WhereOperand {
    /// Whether the value is one of a sequence.
    func isMember<S: Sequence>(of sequence: S, _ value: (S.Element) -> Value) -> Where<ObjectType> {
        comparing(.isIn, .values(sequence.map(value)))
    }
}
