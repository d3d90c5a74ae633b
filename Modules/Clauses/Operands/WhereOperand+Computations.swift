public import CofferSchema
import CofferStorage
import CofferStorageTools

/// Computes with numbers of an object: `$0.$age * 2 > 10`, `\Person.$salary + \Person.$bonus`.
//
// These operators compute with numbers: `$0.$age * 2 > 10`, `\Person.$salary + \Person.$bonus`,
// `(\.$master ~ \.$age) - 1`.
//
// The result is null if an operand is null, or if a number is divided by zero. The result of integers is an integer,
// and a division of integers drops the fraction. A result beyond 64 bits is the nearest double.
//
// With more than two operators, write a closure, or name the class: `\Person.$salary + \Person.$bonus * 2 - 1 > 10`.
// Otherwise the compiler needs seconds to find the class of the key paths. The results name the class `O` for the
// same reason: from the results, the compiler finds the class of `\.$age` in `\.$age * 2 + 1 > 4`.

/// The sum of two numbers of an object.
public func + <O, L: WhereOperand<O>, R: WhereOperand<O>>(
    _ left: L, _ right: R
) -> Where<O>.Computed<L.OperandValue._Compared>
where
    L.OperandValue: FieldStorableType, R.OperandValue: FieldStorableType,
    L.OperandValue._Compared == R.OperandValue._Compared, L.OperandValue._Compared: Numeric
{
    left.computing(.add, right)
}

/// The sum of an operand and a number.
public func + <O, L: WhereOperand<O>>(
    _ left: L, _ number: L.OperandValue._Compared
) -> Where<O>.Computed<L.OperandValue._Compared>
where L.OperandValue: FieldStorableType, L.OperandValue._Compared: Numeric {
    left.computing(.add, number)
}

/// The sum of an expression and a number.
public func + <O, T, V: FieldStorableType>(
    _ expression: Where<O>.Expression<T, V>, _ number: V._Compared
) -> Where<O>.Computed<V._Compared> where V._Compared: Numeric {
    expression.computing(.add, number)
}

/// The sum of a number and an operand.
public func + <O, R: WhereOperand<O>>(
    _ left: R.OperandValue._Compared, _ right: R
) -> Where<O>.Computed<R.OperandValue._Compared>
where R.OperandValue: FieldStorableType, R.OperandValue._Compared: Numeric {
    right.computing(left, .add)
}

/// The difference of two numbers of an object.
public func - <O, L: WhereOperand<O>, R: WhereOperand<O>>(
    _ left: L, _ right: R
) -> Where<O>.Computed<L.OperandValue._Compared>
where
    L.OperandValue: FieldStorableType, R.OperandValue: FieldStorableType,
    L.OperandValue._Compared == R.OperandValue._Compared, L.OperandValue._Compared: Numeric
{
    left.computing(.subtract, right)
}

/// The difference of an operand and a number.
public func - <O, L: WhereOperand<O>>(
    _ left: L, _ number: L.OperandValue._Compared
) -> Where<O>.Computed<L.OperandValue._Compared>
where L.OperandValue: FieldStorableType, L.OperandValue._Compared: Numeric {
    left.computing(.subtract, number)
}

/// The difference of an expression and a number.
public func - <O, T, V: FieldStorableType>(
    _ expression: Where<O>.Expression<T, V>, _ number: V._Compared
) -> Where<O>.Computed<V._Compared> where V._Compared: Numeric {
    expression.computing(.subtract, number)
}

/// The difference of a number and an operand.
public func - <O, R: WhereOperand<O>>(
    _ left: R.OperandValue._Compared, _ right: R
) -> Where<O>.Computed<R.OperandValue._Compared>
where R.OperandValue: FieldStorableType, R.OperandValue._Compared: Numeric {
    right.computing(left, .subtract)
}

/// The product of two numbers of an object.
public func * <O, L: WhereOperand<O>, R: WhereOperand<O>>(
    _ left: L, _ right: R
) -> Where<O>.Computed<L.OperandValue._Compared>
where
    L.OperandValue: FieldStorableType, R.OperandValue: FieldStorableType,
    L.OperandValue._Compared == R.OperandValue._Compared, L.OperandValue._Compared: Numeric
{
    left.computing(.multiply, right)
}

/// The product of an operand and a number.
public func * <O, L: WhereOperand<O>>(
    _ left: L, _ number: L.OperandValue._Compared
) -> Where<O>.Computed<L.OperandValue._Compared>
where L.OperandValue: FieldStorableType, L.OperandValue._Compared: Numeric {
    left.computing(.multiply, number)
}

/// The product of an expression and a number.
public func * <O, T, V: FieldStorableType>(
    _ expression: Where<O>.Expression<T, V>, _ number: V._Compared
) -> Where<O>.Computed<V._Compared> where V._Compared: Numeric {
    expression.computing(.multiply, number)
}

/// The product of a number and an operand.
public func * <O, R: WhereOperand<O>>(
    _ left: R.OperandValue._Compared, _ right: R
) -> Where<O>.Computed<R.OperandValue._Compared>
where R.OperandValue: FieldStorableType, R.OperandValue._Compared: Numeric {
    right.computing(left, .multiply)
}

/// The quotient of two numbers of an object.
public func / <O, L: WhereOperand<O>, R: WhereOperand<O>>(
    _ left: L, _ right: R
) -> Where<O>.Computed<L.OperandValue._Compared>
where
    L.OperandValue: FieldStorableType, R.OperandValue: FieldStorableType,
    L.OperandValue._Compared == R.OperandValue._Compared, L.OperandValue._Compared: Numeric
{
    left.computing(.divide, right)
}

/// The quotient of an operand and a number.
public func / <O, L: WhereOperand<O>>(
    _ left: L, _ number: L.OperandValue._Compared
) -> Where<O>.Computed<L.OperandValue._Compared>
where L.OperandValue: FieldStorableType, L.OperandValue._Compared: Numeric {
    left.computing(.divide, number)
}

/// The quotient of an expression and a number.
public func / <O, T, V: FieldStorableType>(
    _ expression: Where<O>.Expression<T, V>, _ number: V._Compared
) -> Where<O>.Computed<V._Compared> where V._Compared: Numeric {
    expression.computing(.divide, number)
}

/// The quotient of a number and an operand.
public func / <O, R: WhereOperand<O>>(
    _ left: R.OperandValue._Compared, _ right: R
) -> Where<O>.Computed<R.OperandValue._Compared>
where R.OperandValue: FieldStorableType, R.OperandValue._Compared: Numeric {
    right.computing(left, .divide)
}

// These operators compute with key paths whose class the compiler infers from the context: `\.$age * 2 > 10`.

/// The sum of a field and a number.
public func + <O: CoreStoreObject, B, V>(
    _ keyPath: KeyPath<O, FieldContainer<B>.Stored<V>>, _ number: V._Compared
) -> Where<O>.Computed<V._Compared> where V._Compared: Numeric {
    keyPath.computing(.add, number)
}

/// The sum of an expression and a field.
public func + <O: CoreStoreObject, T, B, L: FieldStorableType, R>(
    _ left: Where<O>.Expression<T, L>, _ right: KeyPath<O, FieldContainer<B>.Stored<R>>
) -> Where<O>.Computed<L._Compared> where L._Compared: Numeric, L._Compared == R._Compared {
    left.computing(.add, right)
}

/// The sum of two fields.
public func + <O: CoreStoreObject, A, B, L, R>(
    _ left: KeyPath<O, FieldContainer<A>.Stored<L>>, _ right: KeyPath<O, FieldContainer<B>.Stored<R>>
) -> Where<O>.Computed<L._Compared> where L._Compared: Numeric, L._Compared == R._Compared {
    left.computing(.add, right)
}

/// The difference of a field and a number.
public func - <O: CoreStoreObject, B, V>(
    _ keyPath: KeyPath<O, FieldContainer<B>.Stored<V>>, _ number: V._Compared
) -> Where<O>.Computed<V._Compared> where V._Compared: Numeric {
    keyPath.computing(.subtract, number)
}

/// The difference of an expression and a field.
public func - <O: CoreStoreObject, T, B, L: FieldStorableType, R>(
    _ left: Where<O>.Expression<T, L>, _ right: KeyPath<O, FieldContainer<B>.Stored<R>>
) -> Where<O>.Computed<L._Compared> where L._Compared: Numeric, L._Compared == R._Compared {
    left.computing(.subtract, right)
}

/// The difference of two fields.
public func - <O: CoreStoreObject, A, B, L, R>(
    _ left: KeyPath<O, FieldContainer<A>.Stored<L>>, _ right: KeyPath<O, FieldContainer<B>.Stored<R>>
) -> Where<O>.Computed<L._Compared> where L._Compared: Numeric, L._Compared == R._Compared {
    left.computing(.subtract, right)
}

/// The product of a field and a number.
public func * <O: CoreStoreObject, B, V>(
    _ keyPath: KeyPath<O, FieldContainer<B>.Stored<V>>, _ number: V._Compared
) -> Where<O>.Computed<V._Compared> where V._Compared: Numeric {
    keyPath.computing(.multiply, number)
}

/// The product of an expression and a field.
public func * <O: CoreStoreObject, T, B, L: FieldStorableType, R>(
    _ left: Where<O>.Expression<T, L>, _ right: KeyPath<O, FieldContainer<B>.Stored<R>>
) -> Where<O>.Computed<L._Compared> where L._Compared: Numeric, L._Compared == R._Compared {
    left.computing(.multiply, right)
}

/// The product of two fields.
public func * <O: CoreStoreObject, A, B, L, R>(
    _ left: KeyPath<O, FieldContainer<A>.Stored<L>>, _ right: KeyPath<O, FieldContainer<B>.Stored<R>>
) -> Where<O>.Computed<L._Compared> where L._Compared: Numeric, L._Compared == R._Compared {
    left.computing(.multiply, right)
}

/// The quotient of a field and a number.
public func / <O: CoreStoreObject, B, V>(
    _ keyPath: KeyPath<O, FieldContainer<B>.Stored<V>>, _ number: V._Compared
) -> Where<O>.Computed<V._Compared> where V._Compared: Numeric {
    keyPath.computing(.divide, number)
}

/// The quotient of an expression and a field.
public func / <O: CoreStoreObject, T, B, L: FieldStorableType, R>(
    _ left: Where<O>.Expression<T, L>, _ right: KeyPath<O, FieldContainer<B>.Stored<R>>
) -> Where<O>.Computed<L._Compared> where L._Compared: Numeric, L._Compared == R._Compared {
    left.computing(.divide, right)
}

/// The quotient of two fields.
public func / <O: CoreStoreObject, A, B, L, R>(
    _ left: KeyPath<O, FieldContainer<A>.Stored<L>>, _ right: KeyPath<O, FieldContainer<B>.Stored<R>>
) -> Where<O>.Computed<L._Compared> where L._Compared: Numeric, L._Compared == R._Compared {
    left.computing(.divide, right)
}

extension WhereOperand where OperandValue: FieldStorableType {
    /// A number that is computed from numbers of an object; it may be null.
    public typealias Computed = Where<ObjectType>.Computed<OperandValue._Compared>

    fileprivate func computing(_ function: ValueFunction, _ right: some WhereOperand<ObjectType>) -> Computed {
        // If the left side has a quantifier, it takes precedence over the quantifier of the right side.
        .init(
            .function(function, [_expression, right._expression]),
            quantifier: _quantifier == .one ? right._quantifier : _quantifier
        )
    }

    fileprivate func computing(_ function: ValueFunction, _ right: OperandValue._Compared) -> Computed {
        .init(.function(function, [_expression, .value(right._storedValue)]), quantifier: _quantifier)
    }

    fileprivate func computing(_ left: OperandValue._Compared, _ function: ValueFunction) -> Computed {
        .init(.function(function, [.value(left._storedValue), _expression]), quantifier: _quantifier)
    }
}
