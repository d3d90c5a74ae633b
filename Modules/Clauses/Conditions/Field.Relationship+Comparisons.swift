public import CofferSchema
public import CofferStorage
import CofferStorageTools

/// Conditions on to-many relationships inside a closure.
extension FieldContainer.Relationship where V: FieldRelationshipToManyType {
    /// How many objects the relationship leads to: `.where { $0.$pets.count() > 1 }`.
    public func count() -> Where<O>.Expression<Where<O>.CollectionTarget, Int> {
        .init("\(cs_keyPathString).@count")
    }

    /// How many of the objects that the relationship leads to fulfil a condition.
    public func count(
        where condition: (V.DestinationObjectType) -> Where<V.DestinationObjectType>
    ) -> Where<O>.Expression<Where<O>.ComputedTarget, Int> {
        .counting(cs_keyPathString, Where(condition))
    }

    /// Matches objects whose relationship leads to an object, among others: `.where { $0.$pets.contains(rex) }`.
    public func contains(_ object: V.DestinationObjectType) -> Where<O> {
        Where(.comparing(cs_keyPathString, .equal, .related(object), quantifier: .any))
    }

    /// Matches objects whose relationship leads to a represented object, among others.
    public func contains<R: ObjectRepresentation>(_ object: R) -> Where<O>
    where R.ObjectType == V.DestinationObjectType {
        Where(.comparing(cs_keyPathString, .equal, .represented(object), quantifier: .any))
    }

    /// Matches objects whose relationship leads to the object with an id, among others.
    public func contains(_ objectID: ObjectID) -> Where<O> {
        Where(.comparing(cs_keyPathString, .equal, .object(objectID), quantifier: .any))
    }
}
