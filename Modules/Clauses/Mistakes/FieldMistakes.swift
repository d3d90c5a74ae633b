public import CofferSchema

// Calls of these operators are always mistakes. If a value has another type than the field in a closure, the compiler
// chooses one of these operators and prints its message.

/// Explains a mistake at compile time: a field is compared with a value of another type.
@available(*, unavailable, message: "The value and the field have different types. Use a value of the property's type.")
extension FieldContainer.Stored {
    /// The value has another type than the field.
    @_disfavoredOverload
    public static func == <W>(_ field: Self, _ value: W) -> Where<O> { Where(false) }

    /// The value has another type than the field.
    @_disfavoredOverload
    public static func != <W>(_ field: Self, _ value: W) -> Where<O> { Where(false) }

    /// The value has another type than the field.
    @_disfavoredOverload
    public static func < <W>(_ field: Self, _ value: W) -> Where<O> { Where(false) }

    /// The value has another type than the field.
    @_disfavoredOverload
    public static func > <W>(_ field: Self, _ value: W) -> Where<O> { Where(false) }

    /// The value has another type than the field.
    @_disfavoredOverload
    public static func <= <W>(_ field: Self, _ value: W) -> Where<O> { Where(false) }

    /// The value has another type than the field.
    @_disfavoredOverload
    public static func >= <W>(_ field: Self, _ value: W) -> Where<O> { Where(false) }
}

extension FieldContainer.Stored {
    /// The values have another type than the field.
    @_disfavoredOverload
    @available(*, unavailable, message: "The values and the field differ in type. Use values of the property's type.")
    public static func ~= <W>(_ values: W, _ field: Self) -> Where<O> { Where(false) }
}

@available(*, unavailable, message: "Compare a to-one relationship with an object of its class, an id, or nil.")
extension FieldContainer.Relationship {
    /// The value is neither an object of the related class nor the id of such an object.
    @_disfavoredOverload
    public static func == <W>(_ relationship: Self, _ value: W) -> Where<O> { Where(false) }

    /// The value is neither an object of the related class nor the id of such an object.
    @_disfavoredOverload
    public static func != <W>(_ relationship: Self, _ value: W) -> Where<O> { Where(false) }
}

/// A key path to a value, `\.name`, does not name a field.
@available(
    *, unavailable, message: "Write '$' before the name, as in '$0.$master ~ \\.$name': the path must name a field."
)
public func ~ <O: CoreStoreObject, D: FieldRelationshipToOneType, V: FieldStorableType>(
    _ relationship: FieldContainer<O>.Relationship<D>, _ value: KeyPath<D.DestinationObjectType, V>
) -> Where<O>.Expression<Where<O>.SingleTarget, V> {
    .init("")
}

/// A key path to a value, `\.age`, does not name a field.
@available(
    *, unavailable, message: "Write '$' before the name, as in '$0.$pets ~ \\.$age': the path must name a field."
)
public func ~ <O: CoreStoreObject, D: FieldRelationshipToManyType, V: FieldStorableType>(
    _ relationship: FieldContainer<O>.Relationship<D>, _ value: KeyPath<D.DestinationObjectType, V>
) -> Where<O>.Expression<Where<O>.CollectionTarget, V> {
    .init("")
}
