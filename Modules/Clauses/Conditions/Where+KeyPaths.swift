public import CofferSchema
public import CofferStorage
import CofferStorageTools

/// Creates conditions on fields by key path: `Where(\.$name, isEqualTo: "Ann")`.
extension Where where O: CoreStoreObject {
    /// A condition that the property of an object equals a value.
    ///
    /// ```swift
    /// let anns = try stack.fetchAll(From<Person>(), Where<Person>(\.$name, isEqualTo: "Ann"))
    /// let dogs = try stack.fetchAll(From<Dog>(), Where<Dog>(\.$master, isEqualTo: ann))
    /// ```
    ///
    /// If the value is nil, objects whose property is null fulfil the condition. Strings are compared by their bytes.
    /// Objects are compared by their ids, so the object may come from the stack or from any transaction.
    public init<K: ComparableProperty>(_ keyPath: KeyPath<O, K>, isEqualTo value: K.ComparedValue) {
        self.init(.comparing(KeyPathString(keyPath: keyPath), .equal, K._compared(value)))
    }

    /// A condition that the property of an object equals a value that may be missing; with nil, the property is null.
    public init<K: ComparableProperty>(_ keyPath: KeyPath<O, K>, isEqualTo value: K.ComparedValue?) {
        self.init(.comparing(KeyPathString(keyPath: keyPath), .equal, value.map(K._compared) ?? .null))
    }

    /// Matches objects whose property is null.
    @_disfavoredOverload
    public init<K: ComparableProperty>(_ keyPath: KeyPath<O, K>, isEqualTo null: Void?) {
        self.init(KeyPathString(keyPath: keyPath), isEqualTo: null)
    }

    /// Matches objects whose coded field has no value: `Where(\.$colour, isEqualTo: nil)`.
    public init<B, V>(_ keyPath: KeyPath<O, FieldContainer<B>.Coded<V>>, isEqualTo null: Void?) {
        self.init(KeyPathString(keyPath: keyPath), isEqualTo: null)
    }

    /// A condition that the property of an object equals one of some values.
    ///
    /// ```swift
    /// let people = try stack.fetchAll(From<Person>(), Where<Person>(\.$name, isMemberOf: ["Ann", "Ben"]))
    /// ```
    ///
    /// A property that is null is in no list. With an empty list, no object fulfils the condition.
    public init<K: ComparableProperty, S: Sequence>(_ keyPath: KeyPath<O, K>, isMemberOf list: S)
    where S.Element == K.ComparedValue {
        self.init(.membership(KeyPathString(keyPath: keyPath), list.map(K._compared)))
    }

    /// Matches objects whose optional field is one of some values.
    public init<B, V: FieldStorableType, S: Sequence>(
        _ keyPath: KeyPath<O, FieldContainer<B>.Stored<V?>>, isMemberOf list: S
    ) where S.Iterator.Element == V {
        self.init(KeyPathString(keyPath: keyPath), isMemberOf: list)
    }

    /// Matches objects that are related to an object with one of the given ids.
    public init<B, V: FieldRelationshipToOneType, S: Sequence>(
        _ keyPath: KeyPath<O, FieldContainer<B>.Relationship<V>>, isMemberOf list: S
    ) where S.Iterator.Element == ObjectID {
        self.init(KeyPathString(keyPath: keyPath), isMemberOf: list)
    }

    /// A condition, written with the fields of an object.
    ///
    /// ```swift
    /// let isTeenager = Where<Person>({ $0.$age > 12 && $0.$age < 20 })
    /// let teenagers = try stack.fetchAll(From<Person>().where(isTeenager))
    /// ```
    ///
    /// The closure may use the fields of superclasses. The object in the closure has no values: write `$0.$age`, and
    /// not `$0.age`. If the condition compares values that cannot be compared, the fetch throws `invalidRequest`.
    public init(_ condition: (O) -> Where<O>) { self.init(condition(MetaObjects.meta(of: O.self))) }
}
