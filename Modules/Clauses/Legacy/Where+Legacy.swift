public import CofferSchema
public import CofferStorage

/// Creates conditions on deprecated relationships, and paths that begin at them.
extension Where where O: CoreStoreObject {
    /// Matches objects that are related to the object with the given id.
    public init<B, D>(_ keyPath: KeyPath<O, RelationshipContainer<B>.ToOne<D>>, isEqualTo objectID: ObjectID) {
        self.init(KeyPathString(keyPath: keyPath), isEqualTo: objectID)
    }

    /// Matches objects that are related to an object with one of the given ids.
    public init<B, D, S: Sequence>(_ keyPath: KeyPath<O, RelationshipContainer<B>.ToOne<D>>, isMemberOf list: S)
    where S.Iterator.Element == ObjectID {
        self.init(KeyPathString(keyPath: keyPath), isMemberOf: list)
    }
}

/// A path from a to-one relationship to a property of the related object: `\Dog.master ~ \.name`.
public func ~ <O: CoreStoreObject, B, D: CoreStoreObject, K: KeyPathStringConvertible>(
    _ lhs: KeyPath<O, RelationshipContainer<B>.ToOne<D>>, _ rhs: KeyPath<D, K>
) -> Where<O>.Expression<Where<O>.SingleTarget, K.DestinationValueType> {
    .init("\(KeyPathString(keyPath: lhs)).\(KeyPathString(keyPath: rhs))")
}

/// A path from a to-one relationship to a to-many relationship: `\Dog.master ~ \.pets`.
public func ~ <O: CoreStoreObject, B, D: CoreStoreObject, K: ToManyRelationshipKeyPathStringConvertible>(
    _ lhs: KeyPath<O, RelationshipContainer<B>.ToOne<D>>, _ rhs: KeyPath<D, K>
) -> Where<O>.Expression<Where<O>.CollectionTarget, K.DestinationValueType> {
    .init("\(KeyPathString(keyPath: lhs)).\(KeyPathString(keyPath: rhs))", toMany: 2)
}
