public import CofferSchema
import CofferStorage

/// Joins relationships and properties to a path with the operator `~`: `\.$master ~ \.$name`.
//
// A path is a relationship, followed by a property of the related objects. If a path contains a to-many relationship,
// it is an expression of many values.

/// A path from a to-one relationship to a property of the related object.
///
/// ```swift
/// let dogs = try stack.fetchAll(From<Dog>().where((\.$master ~ \.$name) == "Ann").orderBy(.ascending(\.$age)))
/// ```
///
/// Write a path in parentheses before a comparison. If the relationship is nil, the value of the path is null.
public func ~ <O: CoreStoreObject, B, D: FieldRelationshipToOneType, K: KeyPathStringConvertible>(
    _ lhs: KeyPath<O, FieldContainer<B>.Relationship<D>>, _ rhs: KeyPath<D.DestinationObjectType, K>
) -> Where<O>.Expression<Where<O>.SingleTarget, K.DestinationValueType> {
    .init(joining(KeyPathString(keyPath: lhs), rhs))
}

/// A path from a to-one relationship to a to-many relationship: `\Dog.$master ~ \.$pets`.
///
/// Use `count()`, `contains(_:)` or a condition on its objects.
public func ~ <O: CoreStoreObject, B, D: FieldRelationshipToOneType, K: ToManyRelationshipKeyPathStringConvertible>(
    _ lhs: KeyPath<O, FieldContainer<B>.Relationship<D>>, _ rhs: KeyPath<D.DestinationObjectType, K>
) -> Where<O>.Expression<Where<O>.CollectionTarget, K.DestinationValueType> {
    .init(joining(KeyPathString(keyPath: lhs), rhs), toMany: 2)
}

/// A path from a to-many relationship to a property of the related objects.
///
/// ```swift
/// let people = try stack.fetchAll(From<Person>().where((\.$pets ~ \.$age).any() > 10))
/// ```
///
/// Use `any()`, `all()` or `none()` to define how many of the values must fulfil the condition, or compute one value
/// with `min()`, `max()`, `sum()` or `average()`. Otherwise the request throws `invalidRequest`. If there are no
/// related objects, `any()` is false, and `all()` and `none()` are true.
public func ~ <O: CoreStoreObject, B, D: FieldRelationshipToManyType, K: KeyPathStringConvertible>(
    _ lhs: KeyPath<O, FieldContainer<B>.Relationship<D>>, _ rhs: KeyPath<D.DestinationObjectType, K>
) -> Where<O>.Expression<Where<O>.CollectionTarget, K.DestinationValueType> {
    .init(joining(KeyPathString(keyPath: lhs), rhs), toMany: isToMany(K.self) ? 2 : 1)
}

// In closures: `$0.$master ~ \.$name`.

/// A path from a to-one relationship to a property of the related object: `($0.$master ~ \.$name) == "Ann"`.
///
/// If the relationship is nil, the value of the path is null.
public func ~ <O: CoreStoreObject, D: FieldRelationshipToOneType, K: KeyPathStringConvertible>(
    _ lhs: FieldContainer<O>.Relationship<D>, _ rhs: KeyPath<D.DestinationObjectType, K>
) -> Where<O>.Expression<Where<O>.SingleTarget, K.DestinationValueType> {
    .init(joining(lhs.cs_keyPathString, rhs))
}

/// A path from a to-one relationship to a to-many relationship: `$0.$master ~ \.$pets`.
public func ~ <O: CoreStoreObject, D: FieldRelationshipToOneType, K: ToManyRelationshipKeyPathStringConvertible>(
    _ lhs: FieldContainer<O>.Relationship<D>, _ rhs: KeyPath<D.DestinationObjectType, K>
) -> Where<O>.Expression<Where<O>.CollectionTarget, K.DestinationValueType> {
    .init(joining(lhs.cs_keyPathString, rhs), toMany: 2)
}

/// A path from a to-many relationship to a property of the related objects: `($0.$pets ~ \.$age).any() > 10`.
///
/// Use `any()`, `all()`, `none()`, or a computed value such as `max()`.
public func ~ <O: CoreStoreObject, D: FieldRelationshipToManyType, K: KeyPathStringConvertible>(
    _ lhs: FieldContainer<O>.Relationship<D>, _ rhs: KeyPath<D.DestinationObjectType, K>
) -> Where<O>.Expression<Where<O>.CollectionTarget, K.DestinationValueType> {
    .init(joining(lhs.cs_keyPathString, rhs), toMany: isToMany(K.self) ? 2 : 1)
}

// From an expression: `\Dog.$master ~ \.$spouse ~ \.$name`.

/// A path from the end of another path: `\Dog.$master ~ \.$spouse ~ \.$name`.
public func ~ <O: CoreStoreObject, D: CoreStoreObject, T, K: KeyPathStringConvertible>(
    _ lhs: Where<O>.Expression<T, D>, _ rhs: KeyPath<D, K>
) -> Where<O>.Expression<T, K.DestinationValueType> {
    lhs.joined(rhs, toMany: lhs.toMany)
}

/// A path from the end of another path, whose value may be nil.
public func ~ <O: CoreStoreObject, D: CoreStoreObject, T, K: KeyPathStringConvertible>(
    _ lhs: Where<O>.Expression<T, D?>, _ rhs: KeyPath<D, K>
) -> Where<O>.Expression<T, K.DestinationValueType> {
    lhs.joined(rhs, toMany: lhs.toMany)
}

/// A path from the end of another path to a to-many relationship: `\Dog.$master ~ \.$spouse ~ \.$pets`.
public func ~ <O: CoreStoreObject, D: CoreStoreObject, T, K: ToManyRelationshipKeyPathStringConvertible>(
    _ lhs: Where<O>.Expression<T, D>, _ rhs: KeyPath<D, K>
) -> Where<O>.Expression<Where<O>.CollectionTarget, K.DestinationValueType> {
    lhs.joined(rhs, toMany: lhs.nameCount + 1)
}

/// A path from the end of another path, whose value may be nil, to a to-many relationship.
public func ~ <O: CoreStoreObject, D: CoreStoreObject, T, K: ToManyRelationshipKeyPathStringConvertible>(
    _ lhs: Where<O>.Expression<T, D?>, _ rhs: KeyPath<D, K>
) -> Where<O>.Expression<Where<O>.CollectionTarget, K.DestinationValueType> {
    lhs.joined(rhs, toMany: lhs.nameCount + 1)
}

extension Where.Expression {
    fileprivate var nameCount: Int { path.split(separator: ".").count }

    fileprivate func joined<D: CoreStoreObject, K: KeyPathStringConvertible, Trait, Result>(
        _ next: KeyPath<D, K>, toMany: Int
    ) -> Where<O>.Expression<Trait, Result> {
        .init(joining(path, next), quantifier: quantifier, toMany: toMany)
    }
}

private func joining<D: CoreStoreObject, K: KeyPathStringConvertible>(
    _ path: KeyPathString, _ next: KeyPath<D, K>
) -> KeyPathString {
    "\(path).\(KeyPathString(keyPath: next))"
}

/// Whether a key path has the type of a to-many relationship, for callers that know only the type.
private func isToMany<K: KeyPathStringConvertible>(_ type: K.Type) -> Bool {
    type is any ToManyRelationshipKeyPathStringConvertible.Type
}
