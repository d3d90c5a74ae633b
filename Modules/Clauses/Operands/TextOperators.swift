public import CofferSchema

/// Tests strings with the operators `?=` (contains), `^=` (begins with) and `|=` (ends with).
//
// These are the operators of SwiftDatastore for strings. Two of them are assignment operators in Swift and keep that
// precedence, so they need parentheses beside other operators.
//
//     From<Person>().where(\.$age >= 18 && (\.$name ^= "T") || (\.$name |= "e"))

/// Operators of conditions on strings; `?=` tests whether a string contains another string: `\.$name ?= "nn"`.
infix operator ?= : AssignmentPrecedence

/// Matches objects whose string contains another string; see ``WhereOperand/contains(_:options:)``.
public func ?= <O: CoreStoreObject, B, V: FieldStorableType>(
    _ keyPath: KeyPath<O, FieldContainer<B>.Stored<V>>, _ text: String
) -> Where<O> where V._Compared == String {
    keyPath.contains(text)
}

/// Matches objects whose string begins with another string; see ``WhereOperand/beginsWith(_:options:)``.
public func ^= <O: CoreStoreObject, B, V: FieldStorableType>(
    _ keyPath: KeyPath<O, FieldContainer<B>.Stored<V>>, _ text: String
) -> Where<O> where V._Compared == String {
    keyPath.beginsWith(text)
}

/// Matches objects whose string ends with another string; see ``WhereOperand/endsWith(_:options:)``.
public func |= <O: CoreStoreObject, B, V: FieldStorableType>(
    _ keyPath: KeyPath<O, FieldContainer<B>.Stored<V>>, _ text: String
) -> Where<O> where V._Compared == String {
    keyPath.endsWith(text)
}

/// Matches objects whose string contains another string; see ``WhereOperand/contains(_:options:)``.
public func ?= <P: WhereOperand>(_ operand: P, _ text: String) -> Where<P.ObjectType>
where P.OperandValue: FieldStorableType, P.OperandValue._Compared == String {
    operand.contains(text)
}

/// Matches objects whose string begins with another string; see ``WhereOperand/beginsWith(_:options:)``.
public func ^= <P: WhereOperand>(_ operand: P, _ text: String) -> Where<P.ObjectType>
where P.OperandValue: FieldStorableType, P.OperandValue._Compared == String {
    operand.beginsWith(text)
}

/// Matches objects whose string ends with another string; see ``WhereOperand/endsWith(_:options:)``.
public func |= <P: WhereOperand>(_ operand: P, _ text: String) -> Where<P.ObjectType>
where P.OperandValue: FieldStorableType, P.OperandValue._Compared == String {
    operand.endsWith(text)
}

/// Matches objects for which the string contains another string; see ``WhereOperand/contains(_:options:)``.
public func ?= <O, T, V: FieldStorableType>(_ path: Where<O>.Expression<T, V>, _ text: String) -> Where<O>
where V._Compared == String {
    path.contains(text)
}

/// Matches objects for which the string begins with another string; see ``WhereOperand/beginsWith(_:options:)``.
public func ^= <O, T, V: FieldStorableType>(_ path: Where<O>.Expression<T, V>, _ text: String) -> Where<O>
where V._Compared == String {
    path.beginsWith(text)
}

/// Matches objects for which the string ends with another string; see ``WhereOperand/endsWith(_:options:)``.
public func |= <O, T, V: FieldStorableType>(_ path: Where<O>.Expression<T, V>, _ text: String) -> Where<O>
where V._Compared == String {
    path.endsWith(text)
}
