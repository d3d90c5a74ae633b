public import CofferSchema
public import CofferStorage
import CofferStorageTools

/// Comparisons of to-one relationships with other names of an object, inside a closure: `.where { $0.$master == id }`.
extension FieldContainer.Relationship where V: FieldRelationshipToOneType {
    /// Matches objects whose relationship leads to a represented object; with nil, to none.
    public static func == <R: ObjectRepresentation>(_ relationship: Self, _ object: R?) -> Where<O>
    where R.ObjectType == V.DestinationObjectType {
        relationship.comparing(.equal, .represented(object))
    }

    /// Matches objects whose relationship does not lead to a represented object; with nil, those where it leads to any.
    public static func != <R: ObjectRepresentation>(_ relationship: Self, _ object: R?) -> Where<O>
    where R.ObjectType == V.DestinationObjectType {
        relationship.comparing(.notEqual, .represented(object))
    }

    /// Matches objects whose relationship leads to the object with an id.
    public static func == (_ relationship: Self, _ objectID: ObjectID) -> Where<O> {
        relationship.comparing(.equal, .object(objectID))
    }

    /// Matches objects whose relationship does not lead to the object with an id.
    public static func != (_ relationship: Self, _ objectID: ObjectID) -> Where<O> {
        relationship.comparing(.notEqual, .object(objectID))
    }

    /// Matches objects whose relationship leads to the object with one of some ids: `ids ~= $0.$master`.
    public static func ~= <S: Sequence>(_ sequence: S, _ relationship: Self) -> Where<O> where S.Element == ObjectID {
        Where(relationship.cs_keyPathString, isMemberOf: sequence)
    }

    /// Matches objects whose relationship leads to one of some represented objects: `publishers ~= $0.$master`.
    public static func ~= <S: Sequence>(_ sequence: S, _ relationship: Self) -> Where<O>
    where S.Element: ObjectRepresentation, S.Element.ObjectType == V.DestinationObjectType {
        Where(relationship.cs_keyPathString, isMemberOf: sequence.map { $0.objectID() })
    }

    private func comparing(_ relation: QueryComparison.Relation, _ value: Value) -> Where<O> {
        Where(.comparing(cs_keyPathString, relation, value))
    }
}

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
