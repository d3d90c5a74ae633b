public import CofferSchema
public import CofferStorage
import CofferStorageTools

/// Compares a to-one relationship with an id or an object inside a closure: `.where { $0.$master == id }`.
extension FieldContainer.Relationship where V: FieldRelationshipToOneType {
    /// Matches objects that are related to the represented object; nil matches objects without a related object.
    public static func == <R: ObjectRepresentation>(_ relationship: Self, _ object: R?) -> Where<O>
    where R.ObjectType == V.DestinationObjectType {
        relationship.comparing(.equal, .represented(object))
    }

    /// Matches objects that are not related to the represented object; nil matches objects that have a related object.
    public static func != <R: ObjectRepresentation>(_ relationship: Self, _ object: R?) -> Where<O>
    where R.ObjectType == V.DestinationObjectType {
        relationship.comparing(.notEqual, .represented(object))
    }

    /// Matches objects that are related to the object with the given id.
    public static func == (_ relationship: Self, _ objectID: ObjectID) -> Where<O> {
        relationship.comparing(.equal, .object(objectID))
    }

    /// Matches objects that are not related to the object with the given id.
    public static func != (_ relationship: Self, _ objectID: ObjectID) -> Where<O> {
        relationship.comparing(.notEqual, .object(objectID))
    }

    /// Matches objects that are related to an object with one of the given ids: `ids ~= $0.$master`.
    public static func ~= <S: Sequence>(_ sequence: S, _ relationship: Self) -> Where<O> where S.Element == ObjectID {
        Where(relationship.cs_keyPathString, isMemberOf: sequence)
    }

    /// Matches objects that are related to one of the represented objects: `publishers ~= $0.$master`.
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
    /// The number of related objects: `.where { $0.$pets.count() > 1 }`.
    public func count() -> Where<O>.Expression<Where<O>.CollectionTarget, Int> {
        .init("\(cs_keyPathString).@count")
    }

    /// The number of related objects that fulfil a condition.
    public func count(
        where condition: (V.DestinationObjectType) -> Where<V.DestinationObjectType>
    ) -> Where<O>.Expression<Where<O>.ComputedTarget, Int> {
        .counting(cs_keyPathString, Where(condition))
    }

    /// Matches objects whose relationship contains an object: `.where { $0.$pets.contains(rex) }`.
    public func contains(_ object: V.DestinationObjectType) -> Where<O> {
        Where(.comparing(cs_keyPathString, .equal, .related(object), quantifier: .any))
    }

    /// Matches objects whose relationship contains the represented object.
    public func contains<R: ObjectRepresentation>(_ object: R) -> Where<O>
    where R.ObjectType == V.DestinationObjectType {
        Where(.comparing(cs_keyPathString, .equal, .represented(object), quantifier: .any))
    }

    /// Matches objects whose relationship contains the object with the given id.
    public func contains(_ objectID: ObjectID) -> Where<O> {
        Where(.comparing(cs_keyPathString, .equal, .object(objectID), quantifier: .any))
    }
}
