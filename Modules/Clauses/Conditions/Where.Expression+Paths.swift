public import CofferSchema
import CofferStorage

// Paths: a relationship, then a property of the related objects. A to-many relationship anywhere makes the whole an
// expression of many values.

/// Leads on from a to-one relationship: `\Dog.$master ~ \.$name`.
public func ~ <O: CoreStoreObject, B, D: FieldRelationshipToOneType, K: KeyPathStringConvertible>(
    _ lhs: KeyPath<O, FieldContainer<B>.Relationship<D>>, _ rhs: KeyPath<D.DestinationObjectType, K>
) -> Where<O>.Expression<Where<O>.SingleTarget, K.DestinationValueType> {
    .init(joining(KeyPathString(keyPath: lhs), rhs))
}

/// Leads on from a to-one relationship to a to-many one: `\Dog.$master ~ \.$pets`.
public func ~ <O: CoreStoreObject, B, D: FieldRelationshipToOneType, K: ToManyRelationshipKeyPathStringConvertible>(
    _ lhs: KeyPath<O, FieldContainer<B>.Relationship<D>>, _ rhs: KeyPath<D.DestinationObjectType, K>
) -> Where<O>.Expression<Where<O>.CollectionTarget, K.DestinationValueType> {
    .init(joining(KeyPathString(keyPath: lhs), rhs))
}

/// Leads on from a to-many relationship: `\Person.$pets ~ \.$age`.
public func ~ <O: CoreStoreObject, B, D: FieldRelationshipToManyType, K: KeyPathStringConvertible>(
    _ lhs: KeyPath<O, FieldContainer<B>.Relationship<D>>, _ rhs: KeyPath<D.DestinationObjectType, K>
) -> Where<O>.Expression<Where<O>.CollectionTarget, K.DestinationValueType> {
    .init(joining(KeyPathString(keyPath: lhs), rhs))
}

/// Leads on from an expression: `\Dog.$master ~ \.$spouse ~ \.$name`.
public func ~ <O: CoreStoreObject, D: CoreStoreObject, T, K: KeyPathStringConvertible>(
    _ lhs: Where<O>.Expression<T, D>, _ rhs: KeyPath<D, K>
) -> Where<O>.Expression<T, K.DestinationValueType> {
    .init(joining(lhs.path, rhs), quantifier: lhs.quantifier)
}

/// Leads on from an expression that may have no value.
public func ~ <O: CoreStoreObject, D: CoreStoreObject, T, K: KeyPathStringConvertible>(
    _ lhs: Where<O>.Expression<T, D?>, _ rhs: KeyPath<D, K>
) -> Where<O>.Expression<T, K.DestinationValueType> {
    .init(joining(lhs.path, rhs), quantifier: lhs.quantifier)
}

/// Leads on from an expression to a to-many relationship: `\Dog.$master ~ \.$spouse ~ \.$pets`.
public func ~ <O: CoreStoreObject, D: CoreStoreObject, T, K: ToManyRelationshipKeyPathStringConvertible>(
    _ lhs: Where<O>.Expression<T, D>, _ rhs: KeyPath<D, K>
) -> Where<O>.Expression<Where<O>.CollectionTarget, K.DestinationValueType> {
    .init(joining(lhs.path, rhs), quantifier: lhs.quantifier)
}

/// Leads on from an expression that may have no value to a to-many relationship.
public func ~ <O: CoreStoreObject, D: CoreStoreObject, T, K: ToManyRelationshipKeyPathStringConvertible>(
    _ lhs: Where<O>.Expression<T, D?>, _ rhs: KeyPath<D, K>
) -> Where<O>.Expression<Where<O>.CollectionTarget, K.DestinationValueType> {
    .init(joining(lhs.path, rhs), quantifier: lhs.quantifier)
}

private func joining<D: CoreStoreObject, K: KeyPathStringConvertible>(
    _ path: KeyPathString, _ next: KeyPath<D, K>
) -> KeyPathString {
    "\(path).\(KeyPathString(keyPath: next))"
}
