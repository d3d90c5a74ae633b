public import CofferSchema
import CofferStorage

/// A range that a field's values can be looked for in: `18...65 ~= \.$age`, `start..<end ~= \.$born`.
///
/// `ClosedRange` and `Range` are all there are.
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

// `18...` is a sequence without end. It gets no operator of its own, which would make conditions of several parts slow
// to compile, but counts as a range where a sequence of values is looked for.

/// A range whose values cannot be listed.
protocol EndlessRange {
    /// Whether a value is in the range.
    func contains<P: WhereOperand>(_ operand: P) -> Where<P.ObjectType>
}

extension PartialRangeFrom: EndlessRange where Bound: FieldStorableType {
    func contains<P: WhereOperand>(_ operand: P) -> Where<P.ObjectType> {
        operand.comparing(.greaterOrEqual, .value(lowerBound._storedValue))
    }
}

extension WhereOperand {
    /// Whether the value is one of a sequence.
    func isMember<S: Sequence>(of sequence: S, _ value: (S.Element) -> Value) -> Where<ObjectType> {
        if let range = sequence as? any EndlessRange { return range.contains(self) }
        return comparing(.isIn, .values(sequence.map(value)))
    }
}
