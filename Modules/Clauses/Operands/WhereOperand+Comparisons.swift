public import CofferSchema
import CofferStorage
import CofferStorageTools

/// Compares two values of the same object: `\.$age > \.$tricks`, `$0.$name == $0.$species`.
//
// These operators compare two values of the same object: `\.$age > \.$tricks`, `$0.$name == $0.$species`. Null is
// neither less nor greater than any value; two nulls are equal.

/// Matches objects for which the two operands are equal.
public func == <L: WhereOperand, R: WhereOperand>(_ left: L, _ right: R) -> Where<L.ObjectType>
where
    L.ObjectType == R.ObjectType, L.OperandValue: FieldStorableType, R.OperandValue: FieldStorableType,
    L.OperandValue._Compared == R.OperandValue._Compared
{
    left.comparing(.equal, right)
}

/// Matches objects for which the two operands differ.
public func != <L: WhereOperand, R: WhereOperand>(_ left: L, _ right: R) -> Where<L.ObjectType>
where
    L.ObjectType == R.ObjectType, L.OperandValue: FieldStorableType, R.OperandValue: FieldStorableType,
    L.OperandValue._Compared == R.OperandValue._Compared
{
    left.comparing(.notEqual, right)
}

/// Matches objects for which the first operand is less than the second operand.
public func < <L: WhereOperand, R: WhereOperand>(_ left: L, _ right: R) -> Where<L.ObjectType>
where
    L.ObjectType == R.ObjectType, L.OperandValue: FieldStorableType, R.OperandValue: FieldStorableType,
    L.OperandValue._Compared == R.OperandValue._Compared, L.OperandValue._Compared: Comparable
{
    left.comparing(.less, right)
}

/// Matches objects for which the first operand is less than the second operand or equals it.
public func <= <L: WhereOperand, R: WhereOperand>(_ left: L, _ right: R) -> Where<L.ObjectType>
where
    L.ObjectType == R.ObjectType, L.OperandValue: FieldStorableType, R.OperandValue: FieldStorableType,
    L.OperandValue._Compared == R.OperandValue._Compared, L.OperandValue._Compared: Comparable
{
    left.comparing(.lessOrEqual, right)
}

/// Matches objects for which the first operand is greater than the second operand.
public func > <L: WhereOperand, R: WhereOperand>(_ left: L, _ right: R) -> Where<L.ObjectType>
where
    L.ObjectType == R.ObjectType, L.OperandValue: FieldStorableType, R.OperandValue: FieldStorableType,
    L.OperandValue._Compared == R.OperandValue._Compared, L.OperandValue._Compared: Comparable
{
    left.comparing(.greater, right)
}

/// Matches objects for which the first operand is greater than the second operand or equals it.
public func >= <L: WhereOperand, R: WhereOperand>(_ left: L, _ right: R) -> Where<L.ObjectType>
where
    L.ObjectType == R.ObjectType, L.OperandValue: FieldStorableType, R.OperandValue: FieldStorableType,
    L.OperandValue._Compared == R.OperandValue._Compared, L.OperandValue._Compared: Comparable
{
    left.comparing(.greaterOrEqual, right)
}

// These operators compare key paths whose class the compiler infers from the context.

/// Matches objects for which the two operands are equal.
public func == <O: CoreStoreObject, A, B, L, R>(
    _ left: KeyPath<O, FieldContainer<A>.Stored<L>>, _ right: KeyPath<O, FieldContainer<B>.Stored<R>>
) -> Where<O> where L._Compared == R._Compared {
    left.comparing(.equal, right)
}

/// Matches objects for which the two operands differ.
public func != <O: CoreStoreObject, A, B, L, R>(
    _ left: KeyPath<O, FieldContainer<A>.Stored<L>>, _ right: KeyPath<O, FieldContainer<B>.Stored<R>>
) -> Where<O> where L._Compared == R._Compared {
    left.comparing(.notEqual, right)
}

/// Matches objects for which the first operand is less than the second operand.
public func < <O: CoreStoreObject, A, B, L, R>(
    _ left: KeyPath<O, FieldContainer<A>.Stored<L>>, _ right: KeyPath<O, FieldContainer<B>.Stored<R>>
) -> Where<O> where L._Compared == R._Compared, L._Compared: Comparable {
    left.comparing(.less, right)
}

/// Matches objects for which the first operand is less than the second operand or equals it.
public func <= <O: CoreStoreObject, A, B, L, R>(
    _ left: KeyPath<O, FieldContainer<A>.Stored<L>>, _ right: KeyPath<O, FieldContainer<B>.Stored<R>>
) -> Where<O> where L._Compared == R._Compared, L._Compared: Comparable {
    left.comparing(.lessOrEqual, right)
}

/// Matches objects for which the first operand is greater than the second operand.
public func > <O: CoreStoreObject, A, B, L, R>(
    _ left: KeyPath<O, FieldContainer<A>.Stored<L>>, _ right: KeyPath<O, FieldContainer<B>.Stored<R>>
) -> Where<O> where L._Compared == R._Compared, L._Compared: Comparable {
    left.comparing(.greater, right)
}

/// Matches objects for which the first operand is greater than the second operand or equals it.
public func >= <O: CoreStoreObject, A, B, L, R>(
    _ left: KeyPath<O, FieldContainer<A>.Stored<L>>, _ right: KeyPath<O, FieldContainer<B>.Stored<R>>
) -> Where<O> where L._Compared == R._Compared, L._Compared: Comparable {
    left.comparing(.greaterOrEqual, right)
}

extension WhereOperand {
    func comparing(
        _ relation: QueryComparison.Relation, _ right: some WhereOperand<ObjectType>, _ options: TextOptions = []
    ) -> Where<ObjectType> {
        guard right._quantifier == .one else {
            return Where(
                .invalid("'\(right._quantifier.rawValue)()' must be on the left side of '\(relation.symbol)'."))
        }
        return comparing(relation, right._expression, options)
    }
}
