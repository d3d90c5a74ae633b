public import CofferSchema
import CofferStorage
import CofferStorageTools

/// Compares key paths with values: `\.$age >= 18`, `\.$name != nil`, `["Ann", "Ben"] ~= \.$name`.
//
// These operators compare properties with values: `\.$age >= 18`. A property may belong to a superclass. One operator
// serves every kind of property, because the compiler's work grows exponentially with the number of operators in an
// expression; the base is the number of overloads.

/// The property of an object equals a value; with nil, the property is null.
///
/// ```swift
/// let anns = try stack.fetchAll(From<Person>().where(\.$name == "Ann"))
/// let dogs = try stack.fetchAll(From<Dog>().where(\.$master == ann))
/// ```
///
/// Strings are compared by their bytes: `"a"` differs from `"A"`. Use `equals(_:options:)` to ignore case.
public func == <O: CoreStoreObject, K: ComparableProperty>(
    _ keyPath: KeyPath<O, K>, _ value: K.ComparedValue?
) -> Where<O> {
    Where(keyPath, isEqualTo: value)
}

/// The property of an object differs from a value; with nil, the property is not null.
///
/// ```swift
/// let others = try stack.fetchAll(From<Person>().where(\.$nickname != "Rex"))
/// ```
///
/// If the value is not nil, objects whose property is null also fulfil the condition.
public func != <O: CoreStoreObject, K: ComparableProperty>(
    _ keyPath: KeyPath<O, K>, _ value: K.ComparedValue?
) -> Where<O> {
    Where(.comparing(KeyPathString(keyPath: keyPath), .notEqual, value.map(K._compared) ?? .null))
}

/// The property of an object is less than a value: `\.$age < 18`.
///
/// Null is not less than any value. If the value is nil, no object fulfils the condition.
public func < <O: CoreStoreObject, K: OrderedProperty>(
    _ keyPath: KeyPath<O, K>, _ value: K.OrderedValue
) -> Where<O> {
    Where(.comparing(KeyPathString(keyPath: keyPath), .less, K._ordered(value)))
}

/// The property of an object is greater than a value: `\.$age > 18`.
///
/// Null is not greater than any value. If the value is nil, no object fulfils the condition.
public func > <O: CoreStoreObject, K: OrderedProperty>(
    _ keyPath: KeyPath<O, K>, _ value: K.OrderedValue
) -> Where<O> {
    Where(.comparing(KeyPathString(keyPath: keyPath), .greater, K._ordered(value)))
}

/// The property of an object is less than a value or equals it: `\.$age <= 18`.
///
/// If the property or the value is null, the condition is not fulfilled.
public func <= <O: CoreStoreObject, K: OrderedProperty>(
    _ keyPath: KeyPath<O, K>, _ value: K.OrderedValue
) -> Where<O> {
    Where(.comparing(KeyPathString(keyPath: keyPath), .lessOrEqual, K._ordered(value)))
}

/// The property of an object is greater than a value or equals it: `\.$age >= 18`.
///
/// If the property or the value is null, the condition is not fulfilled.
public func >= <O: CoreStoreObject, K: OrderedProperty>(
    _ keyPath: KeyPath<O, K>, _ value: K.OrderedValue
) -> Where<O> {
    Where(.comparing(KeyPathString(keyPath: keyPath), .greaterOrEqual, K._ordered(value)))
}

/// The property of an object equals one of some values.
///
/// ```swift
/// let people = try stack.fetchAll(From<Person>().where(["Ann", "Ben"] ~= \.$name))
/// ```
///
/// A property that is null is in no list. With an empty list, no object fulfils the condition.
public func ~= <O: CoreStoreObject, K: ComparableProperty, S: Sequence>(
    _ sequence: S, _ keyPath: KeyPath<O, K>
) -> Where<O> where S.Element == K.ComparedValue {
    Where(keyPath, isMemberOf: sequence)
}

/// Matches objects whose coded field has no value: `\.$colour == nil`.
public func == <O: CoreStoreObject, B, V>(
    _ keyPath: KeyPath<O, FieldContainer<B>.Coded<V>>, _ null: Void?
) -> Where<O> {
    Where(.comparing(KeyPathString(keyPath: keyPath), .equal, .null))
}

/// Matches objects whose coded field has a value: `\.$colour != nil`.
public func != <O: CoreStoreObject, B, V>(
    _ keyPath: KeyPath<O, FieldContainer<B>.Coded<V>>, _ null: Void?
) -> Where<O> {
    Where(.comparing(KeyPathString(keyPath: keyPath), .notEqual, .null))
}
