/// The object that custom getters and setters of a field receive: `object.$firstName.value`.
@dynamicMemberLookup
public struct ObjectProxy<O: CoreStoreObject> {
    private let object: O

    init(_ object: O) { self.object = object }

    /// A field of the object; a superclass may declare it.
    public subscript<OBase, V>(dynamicMember member: KeyPath<O, FieldContainer<OBase>.Stored<V>>) -> FieldProxy<V> {
        FieldProxy(object: object, word: object[keyPath: member].word, access: .stored)
    }

    /// A virtual field of the object; a superclass may declare it.
    public subscript<OBase, V>(dynamicMember member: KeyPath<O, FieldContainer<OBase>.Virtual<V>>) -> FieldProxy<V> {
        FieldProxy(object: object, word: object[keyPath: member].word, access: .virtual)
    }

    /// A coded field of the object; a superclass may declare it.
    public subscript<OBase, V>(dynamicMember member: KeyPath<O, FieldContainer<OBase>.Coded<V>>) -> FieldProxy<V> {
        FieldProxy(object: object, word: object[keyPath: member].word, access: .coded)
    }

    /// One field of the object.
    public struct FieldProxy<V> {
        let object: CoreStoreObject
        let word: FieldWord
        let access: FieldAccess<V>

        /// The stored value, without the field's accessors; nil for null.
        ///
        /// A new `primitiveValue` changes the object, but notifies no observer of the field. A new `value` notifies
        /// them.
        public var primitiveValue: V? {
            get { access.readPrimitive(object, word) }
            nonmutating set { access.writePrimitive(object, word, newValue) }
        }

        /// The value, read and written by the field's accessors.
        ///
        /// Do not use it in an accessor of the same field, because the accessor would call itself without end.
        public var value: V {
            get { access.read(object, word) }
            nonmutating set { access.write(object, word, newValue) }
        }
    }
}
