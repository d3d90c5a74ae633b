public import CofferSchema
public import CofferStorage
import CofferStorageTools

/// Conditions on properties that were declared before `Field` was there.
extension Where where O: CoreStoreObject {
    /// Matches objects whose property equals a value; with nil, those where it has none.
    public init<B, V>(_ keyPath: KeyPath<O, ValueContainer<B>.Required<V>>, isEqualTo value: V?) {
        self = comparing(KeyPathString(keyPath: keyPath), .equal, value)
    }

    /// Matches objects whose property is one of some values.
    public init<B, V, S: Sequence>(_ keyPath: KeyPath<O, ValueContainer<B>.Required<V>>, isMemberOf list: S)
    where S.Iterator.Element == V {
        self.init(KeyPathString(keyPath: keyPath), isMemberOf: list)
    }

    /// Matches objects whose property equals a value; with nil, those where it has none.
    public init<B, V>(_ keyPath: KeyPath<O, ValueContainer<B>.Optional<V>>, isEqualTo value: V?) {
        self = comparing(KeyPathString(keyPath: keyPath), .equal, value)
    }

    /// Matches objects whose property is one of some values.
    public init<B, V, S: Sequence>(_ keyPath: KeyPath<O, ValueContainer<B>.Optional<V>>, isMemberOf list: S)
    where S.Iterator.Element == V {
        self.init(KeyPathString(keyPath: keyPath), isMemberOf: list)
    }

    /// Matches objects whose property has no value.
    @_disfavoredOverload
    public init<B, V>(_ keyPath: KeyPath<O, ValueContainer<B>.Optional<V>>, isEqualTo null: Void?) {
        self.init(KeyPathString(keyPath: keyPath), isEqualTo: null)
    }

    /// Matches objects whose relationship leads to none.
    @_disfavoredOverload
    public init<B, D>(_ keyPath: KeyPath<O, RelationshipContainer<B>.ToOne<D>>, isEqualTo null: Void?) {
        self.init(KeyPathString(keyPath: keyPath), isEqualTo: null)
    }

    /// Matches objects whose relationship leads to an object; with nil, to none.
    public init<B, D>(_ keyPath: KeyPath<O, RelationshipContainer<B>.ToOne<D>>, isEqualTo value: D?) {
        self.init(KeyPathString(keyPath: keyPath), isEqualTo: value)
    }

    /// Matches objects whose relationship leads to the object with an id.
    public init<B, D>(_ keyPath: KeyPath<O, RelationshipContainer<B>.ToOne<D>>, isEqualTo objectID: ObjectID) {
        self.init(KeyPathString(keyPath: keyPath), isEqualTo: objectID)
    }

    /// Matches objects whose relationship leads to one of some objects.
    public init<B, D, S: Sequence>(_ keyPath: KeyPath<O, RelationshipContainer<B>.ToOne<D>>, isMemberOf list: S)
    where S.Iterator.Element == D {
        self.init(KeyPathString(keyPath: keyPath), isMemberOf: list)
    }

    /// Matches objects whose relationship leads to the object with one of some ids.
    public init<B, D, S: Sequence>(_ keyPath: KeyPath<O, RelationshipContainer<B>.ToOne<D>>, isMemberOf list: S)
    where S.Iterator.Element == ObjectID {
        self.init(KeyPathString(keyPath: keyPath), isMemberOf: list)
    }
}

/// Leads on from a to-one relationship: `\Dog.master ~ \.name`.
public func ~ <O: CoreStoreObject, B, D: CoreStoreObject, K: KeyPathStringConvertible>(
    _ lhs: KeyPath<O, RelationshipContainer<B>.ToOne<D>>, _ rhs: KeyPath<D, K>
) -> Where<O>.Expression<Where<O>.SingleTarget, K.DestinationValueType> {
    .init("\(KeyPathString(keyPath: lhs)).\(KeyPathString(keyPath: rhs))")
}

/// Leads on from a to-one relationship to a to-many one: `\Dog.master ~ \.pets`.
public func ~ <O: CoreStoreObject, B, D: CoreStoreObject, K: ToManyRelationshipKeyPathStringConvertible>(
    _ lhs: KeyPath<O, RelationshipContainer<B>.ToOne<D>>, _ rhs: KeyPath<D, K>
) -> Where<O>.Expression<Where<O>.CollectionTarget, K.DestinationValueType> {
    .init("\(KeyPathString(keyPath: lhs)).\(KeyPathString(keyPath: rhs))", toMany: 2)
}
