public import CofferSchema
public import CofferStorage

/// Conditions on fields.
extension Where where O: CoreStoreObject {
    /// Matches objects whose field equals a value.
    public init<B, V>(_ keyPath: KeyPath<O, FieldContainer<B>.Stored<V>>, isEqualTo value: V) {
        self.init(KeyPathString(keyPath: keyPath), isEqualTo: value)
    }

    /// Matches objects whose relationship leads to an object, of whatever context; with nil, to none.
    public init<B, V: FieldRelationshipToOneType>(
        _ keyPath: KeyPath<O, FieldContainer<B>.Relationship<V>>, isEqualTo value: V.DestinationObjectType?
    ) {
        self.init(KeyPathString(keyPath: keyPath), isEqualTo: value)
    }

    /// Matches objects whose field has no value: `Where(\.$name, isEqualTo: nil)`.
    @_disfavoredOverload
    public init<B, V>(_ keyPath: KeyPath<O, FieldContainer<B>.Stored<V>>, isEqualTo null: Void?) {
        self.init(KeyPathString(keyPath: keyPath), isEqualTo: null)
    }

    /// Matches objects whose coded field has no value: `Where(\.$colour, isEqualTo: nil)`.
    public init<B, V>(_ keyPath: KeyPath<O, FieldContainer<B>.Coded<V>>, isEqualTo null: Void?) {
        self.init(KeyPathString(keyPath: keyPath), isEqualTo: null)
    }

    /// Matches objects whose relationship leads to none: `Where(\.$master, isEqualTo: nil)`.
    @_disfavoredOverload
    public init<B, V: FieldRelationshipToOneType>(
        _ keyPath: KeyPath<O, FieldContainer<B>.Relationship<V>>, isEqualTo null: Void?
    ) {
        self.init(KeyPathString(keyPath: keyPath), isEqualTo: null)
    }

    /// Matches objects whose field is one of some values.
    ///
    /// A field without a value is none of them.
    public init<B, V, S: Sequence>(_ keyPath: KeyPath<O, FieldContainer<B>.Stored<V>>, isMemberOf list: S)
    where S.Iterator.Element == V {
        self.init(KeyPathString(keyPath: keyPath), isMemberOf: list)
    }

    /// Matches objects whose optional field is one of some values.
    public init<B, V: FieldStorableType, S: Sequence>(
        _ keyPath: KeyPath<O, FieldContainer<B>.Stored<V?>>, isMemberOf list: S
    ) where S.Iterator.Element == V {
        self.init(KeyPathString(keyPath: keyPath), isMemberOf: list)
    }

    /// Matches objects whose relationship leads to one of some objects, of whatever contexts.
    public init<B, V: FieldRelationshipToOneType, S: Sequence>(
        _ keyPath: KeyPath<O, FieldContainer<B>.Relationship<V>>, isMemberOf list: S
    ) where S.Iterator.Element == V.DestinationObjectType {
        self.init(KeyPathString(keyPath: keyPath), isMemberOf: list)
    }

    /// Matches objects whose relationship leads to the object with one of some ids.
    public init<B, V: FieldRelationshipToOneType, S: Sequence>(
        _ keyPath: KeyPath<O, FieldContainer<B>.Relationship<V>>, isMemberOf list: S
    ) where S.Iterator.Element == ObjectID {
        self.init(KeyPathString(keyPath: keyPath), isMemberOf: list)
    }

    /// A condition written with the fields of an object: `Where<Person>({ $0.$age > 10 && $0.$age <= 15 })`.
    ///
    /// Fields of superclasses may be used too. The object has no values.
    public init(_ condition: (O) -> Where<O>) {
        self.init(condition(MetaObjects.meta(of: O.self)))
    }
}
