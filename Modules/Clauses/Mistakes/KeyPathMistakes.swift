public import CofferSchema

/// Explains a mistake at compile time: a comparison names `\.age` and not the field `\.$age`.
//
// Calls of these operators are always mistakes. If a key path lacks its '$', the compiler chooses one of these
// operators and prints its message.

/// A key path to a value, `\.age`, does not name a field.
@available(*, unavailable, message: "Write '$' before the name, as in '\\.$age': a condition compares fields.")
public func == <O: CoreStoreObject, V: FieldStorableType>(_ keyPath: KeyPath<O, V>, _ value: V) -> Where<O> {
    Where(false)
}

/// A key path to a value, `\.age`, does not name a field.
@available(*, unavailable, message: "Write '$' before the name, as in '\\.$age': a condition compares fields.")
public func != <O: CoreStoreObject, V: FieldStorableType>(_ keyPath: KeyPath<O, V>, _ value: V) -> Where<O> {
    Where(false)
}

/// A key path to a value, `\.age`, does not name a field.
@available(*, unavailable, message: "Write '$' before the name, as in '\\.$age': a condition compares fields.")
public func < <O: CoreStoreObject, V: FieldStorableType>(_ keyPath: KeyPath<O, V>, _ value: V) -> Where<O> {
    Where(false)
}

/// A key path to a value, `\.age`, does not name a field.
@available(*, unavailable, message: "Write '$' before the name, as in '\\.$age': a condition compares fields.")
public func > <O: CoreStoreObject, V: FieldStorableType>(_ keyPath: KeyPath<O, V>, _ value: V) -> Where<O> {
    Where(false)
}

/// A key path to a value, `\.age`, does not name a field.
@available(*, unavailable, message: "Write '$' before the name, as in '\\.$age': a condition compares fields.")
public func <= <O: CoreStoreObject, V: FieldStorableType>(_ keyPath: KeyPath<O, V>, _ value: V) -> Where<O> {
    Where(false)
}

/// A key path to a value, `\.age`, does not name a field.
@available(*, unavailable, message: "Write '$' before the name, as in '\\.$age': a condition compares fields.")
public func >= <O: CoreStoreObject, V: FieldStorableType>(_ keyPath: KeyPath<O, V>, _ value: V) -> Where<O> {
    Where(false)
}
