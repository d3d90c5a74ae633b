public import CofferSchema
public import CofferStorage
import CofferStorageTools

/// Conditions on properties by their names in the store. Names may be paths through relationships: `"master.name"`.
extension Where {
    /// Matches objects whose property has no value: `Where("name", isEqualTo: nil)`.
    public init(_ keyPath: KeyPathString, isEqualTo null: Void?) {
        self.init(.comparing(keyPath, .equal, .null))
    }

    /// Matches objects whose property equals a value; with an optional that is nil, those where it has none.
    public init<V: FieldStorableType>(_ keyPath: KeyPathString, isEqualTo value: V) {
        self.init(.comparing(keyPath, .equal, value._storedValue))
    }

    /// Matches objects whose property equals a value; with nil or `NSNull`, those where it has none.
    @_disfavoredOverload
    public init<U: QueryableAttributeType>(_ keyPath: KeyPathString, isEqualTo value: U?) {
        self.init(.comparing(keyPath, .equal, value?._queryValue ?? .null))
    }

    /// Matches objects whose relationship leads to an object, of whatever context; with nil, to none.
    public init<Other: DynamicObject>(_ keyPath: KeyPathString, isEqualTo object: Other?) {
        self.init(.comparing(keyPath, .equal, .related(object)))
    }

    /// Matches objects whose relationship leads to the object with an id.
    public init(_ keyPath: KeyPathString, isEqualTo objectID: ObjectID) {
        self.init(.comparing(keyPath, .equal, .object(objectID)))
    }

    /// Matches objects whose relationship leads to a represented object: a publisher, a snapshot, a monitor.
    @_disfavoredOverload
    public init<R: AnyObjectRepresentation>(_ keyPath: KeyPathString, isEqualTo object: R) {
        self.init(.comparing(keyPath, .equal, .represented(object)))
    }

    /// Matches objects whose property is one of some values.
    ///
    /// A property without a value is none of them.
    public init<S: Sequence>(_ keyPath: KeyPathString, isMemberOf list: S)
    where S.Iterator.Element: FieldStorableType {
        self.init(.membership(keyPath, list.map(\._storedValue)))
    }

    /// Matches objects whose property is one of some values.
    ///
    /// A property without a value is none of them.
    @_disfavoredOverload
    public init<S: Sequence>(_ keyPath: KeyPathString, isMemberOf list: S)
    where S.Iterator.Element: QueryableAttributeType {
        self.init(.membership(keyPath, list.map(\._queryValue)))
    }

    /// Matches objects whose relationship leads to one of some objects, of whatever contexts.
    public init<S: Sequence>(_ keyPath: KeyPathString, isMemberOf list: S) where S.Iterator.Element: DynamicObject {
        self.init(.membership(keyPath, list.map { .object($0.cs_id()) }))
    }

    /// Matches objects whose relationship leads to the object with one of some ids.
    public init<S: Sequence>(_ keyPath: KeyPathString, isMemberOf list: S) where S.Iterator.Element == ObjectID {
        self.init(.membership(keyPath, list.map { .object($0) }))
    }

    /// Matches objects whose relationship leads to one of some represented objects.
    @_disfavoredOverload
    public init<S: Sequence>(_ keyPath: KeyPathString, isMemberOf list: S)
    where S.Iterator.Element: AnyObjectRepresentation {
        self.init(.membership(keyPath, list.map { .object($0.objectID()) }))
    }
}
