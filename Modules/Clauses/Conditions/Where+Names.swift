public import CofferSchema
public import CofferStorage
import CofferStorageTools

/// Creates conditions on properties by name, or by a path through relationships such as `"master.name"`.
extension Where {
    /// Matches objects whose property is null: `Where("name", isEqualTo: nil)`.
    public init(_ keyPath: KeyPathString, isEqualTo null: Void?) {
        self.init(.comparing(keyPath, .equal, .null))
    }

    /// Matches objects whose property equals a value.
    ///
    /// If the value is an optional that is nil, objects whose property is null match.
    public init<V: FieldStorableType>(_ keyPath: KeyPathString, isEqualTo value: V) {
        self.init(.comparing(keyPath, .equal, value._storedValue))
    }

    /// Matches objects whose property equals a value; nil and `NSNull` match objects whose property is null.
    @_disfavoredOverload
    public init<U: QueryableAttributeType>(_ keyPath: KeyPathString, isEqualTo value: U?) {
        self.init(.comparing(keyPath, .equal, value?._queryValue ?? .null))
    }

    /// Matches objects that are related to an object of any context; nil matches objects without a related object.
    public init<Other: DynamicObject>(_ keyPath: KeyPathString, isEqualTo object: Other?) {
        self.init(.comparing(keyPath, .equal, .related(object)))
    }

    /// Matches objects that are related to the object with the given id.
    public init(_ keyPath: KeyPathString, isEqualTo objectID: ObjectID) {
        self.init(.comparing(keyPath, .equal, .object(objectID)))
    }

    /// Matches objects that are related to a represented object, such as a publisher, a snapshot or a monitor.
    @_disfavoredOverload
    public init<R: AnyObjectRepresentation>(_ keyPath: KeyPathString, isEqualTo object: R) {
        self.init(.comparing(keyPath, .equal, .represented(object)))
    }

    /// Matches objects whose property is one of some values.
    ///
    /// A property that is null is in no list.
    public init<S: Sequence>(_ keyPath: KeyPathString, isMemberOf list: S)
    where S.Iterator.Element: FieldStorableType {
        self.init(.membership(keyPath, list.map(\._storedValue)))
    }

    /// Matches objects whose property is one of some values.
    ///
    /// A property that is null is in no list.
    @_disfavoredOverload
    public init<S: Sequence>(_ keyPath: KeyPathString, isMemberOf list: S)
    where S.Iterator.Element: QueryableAttributeType {
        self.init(.membership(keyPath, list.map(\._queryValue)))
    }

    /// Matches objects that are related to one of some objects, which may belong to any contexts.
    public init<S: Sequence>(_ keyPath: KeyPathString, isMemberOf list: S) where S.Iterator.Element: DynamicObject {
        self.init(.membership(keyPath, list.map { .object($0.cs_id()) }))
    }

    /// Matches objects that are related to an object with one of the given ids.
    public init<S: Sequence>(_ keyPath: KeyPathString, isMemberOf list: S) where S.Iterator.Element == ObjectID {
        self.init(.membership(keyPath, list.map { .object($0) }))
    }

    /// Matches objects that are related to one of the represented objects.
    @_disfavoredOverload
    public init<S: Sequence>(_ keyPath: KeyPathString, isMemberOf list: S)
    where S.Iterator.Element: AnyObjectRepresentation {
        self.init(.membership(keyPath, list.map { .object($0.objectID()) }))
    }
}
