public import CofferSchema
public import CofferStorage
import CofferStorageTools

/// Counts and tests related objects in conditions: `count()`, `any()`, `all()`, `none()` and `contains(_:)`.
extension KeyPath where Root: CoreStoreObject, Value: ToManyRelationshipKeyPathStringConvertible {
    /// The number of related objects: `(\Person.$pets).count() > 1`.
    public func count() -> Where<Root>.Expression<Where<Root>.CollectionTarget, Int> {
        .init("\(KeyPathString(keyPath: self)).@count")
    }

    /// The number of related objects that fulfil a condition.
    ///
    /// ```swift
    /// From<Person>().where { $0.$pets.count { $0.$age > 3 && $0.$species == "dog" } >= 2 }
    /// ```
    public func count<B, D: FieldRelationshipToManyType>(
        where condition: (D.DestinationObjectType) -> Where<D.DestinationObjectType>
    ) -> Where<Root>.Expression<Where<Root>.ComputedTarget, Int> where Value == FieldContainer<B>.Relationship<D> {
        .counting(KeyPathString(keyPath: self), Where(condition))
    }
}

extension Where.Expression where O: CoreStoreObject, T == Where<O>.CollectionTarget {
    /// The number of objects at the end of the path: `(\Dog.$master ~ \.$pets).count() > 1`.
    public func count() -> Where<O>.Expression<T, Int> { .init("\(path).@count", quantifier: quantifier) }

    /// At least one of the values must fulfil the condition.
    ///
    /// ```swift
    /// let people = try stack.fetchAll(From<Person>().where { ($0.$pets ~ \.$age).any() > 10 })
    /// ```
    ///
    /// If there are no related objects, the condition is false.
    public func any() -> Where<O>.Expression<T, V> { .init(path, quantifier: .any, toMany: toMany) }

    /// All of the values must fulfil the condition.
    ///
    /// ```swift
    /// let people = try stack.fetchAll(From<Person>().where { ($0.$pets ~ \.$age).all() > 10 })
    /// ```
    ///
    /// If there are no related objects, the condition is true.
    public func all() -> Where<O>.Expression<T, V> { .init(path, quantifier: .all, toMany: toMany) }

    /// None of the values may fulfil the condition.
    ///
    /// ```swift
    /// let people = try stack.fetchAll(From<Person>().where { ($0.$pets ~ \.$age).none() > 10 })
    /// ```
    ///
    /// If there are no related objects, the condition is true.
    public func none() -> Where<O>.Expression<T, V> { .init(path, quantifier: .none, toMany: toMany) }
}

extension Where.Expression where O: CoreStoreObject, T == Where<O>.CollectionTarget, V: CoreStoreObject {
    /// The number of objects at the end of the path that fulfil a condition.
    ///
    /// ```swift
    /// From<Dog>().where { ($0.$master ~ \.$pets).count { $0.$age > 3 } >= 2 }
    /// ```
    public func count(where condition: (V) -> Where<V>) -> Where<O>.Expression<Where<O>.ComputedTarget, Int> {
        .counting(path, Where<V>(condition))
    }

    /// Matches objects if the objects at the end of the path contain an object.
    ///
    /// Example: `(\Dog.$master ~ \.$pets).contains(rex)`.
    public func contains(_ object: V) -> Where<O> { any().comparing(.equal, .value(.related(object))) }

    /// Matches objects if the objects at the end of the path contain the represented object.
    public func contains<R: ObjectRepresentation>(_ object: R) -> Where<O> where R.ObjectType == V {
        any().comparing(.equal, .value(.represented(object)))
    }

    /// Matches objects if the objects at the end of the path contain the object with the given id.
    public func contains(_ objectID: ObjectID) -> Where<O> {
        any().comparing(.equal, .value(.object(objectID)))
    }
}

extension Where.Expression where T == Where<O>.ComputedTarget, V == Int {
    /// The number of related objects that fulfil a condition.
    static func counting<D>(_ relationship: KeyPathString, _ condition: Where<D>) -> Self {
        .init(
            .aggregate(.count, .evaluatedObject, over: relationship, where: condition.predicate), quantifier: .one
        )
    }
}
