import CofferStorage

/// The object that custom getters and setters of a field receive: `object.$firstName.value`.
@dynamicMemberLookup
public struct ObjectProxy<O: CoreStoreObject> {
    private let object: O

    init(_ object: O) {
        self.object = object
    }

    /// A field of the object; a superclass may declare it.
    public subscript<OBase, V>(dynamicMember member: KeyPath<O, FieldContainer<OBase>.Stored<V>>) -> FieldProxy<V> {
        .stored(object, object[keyPath: member].word)
    }

    /// A virtual field of the object; a superclass may declare it.
    public subscript<OBase, V>(dynamicMember member: KeyPath<O, FieldContainer<OBase>.Virtual<V>>) -> FieldProxy<V> {
        .virtual(object, object[keyPath: member].word)
    }

    /// A coded field of the object; a superclass may declare it.
    public subscript<OBase, V>(dynamicMember member: KeyPath<O, FieldContainer<OBase>.Coded<V>>) -> FieldProxy<V> {
        .coded(object, object[keyPath: member].word)
    }

    /// One field of the object.
    public struct FieldProxy<V> {
        private let getPrimitive: () -> V?
        private let setPrimitive: (V?) -> Void
        private let getValue: () -> V
        private let setValue: (V) -> Void

        /// The stored value, without the field's accessors; nil for null.
        ///
        /// A new `primitiveValue` changes the object, but notifies no observer of the field. A new `value` notifies
        /// them.
        public var primitiveValue: V? {
            get { getPrimitive() }
            nonmutating set { setPrimitive(newValue) }
        }

        /// The value, read and written by the field's accessors.
        ///
        /// Do not use it in an accessor of the same field, because the accessor would call itself without end.
        public var value: V {
            get { getValue() }
            nonmutating set { setValue(newValue) }
        }

        static func stored(_ object: CoreStoreObject, _ word: FieldWord) -> Self where V: FieldStorableType {
            Self(
                getPrimitive: { object.primitiveValue(word) },
                setPrimitive: { object.setPrimitiveValue($0, word) },
                getValue: { object.accessedValue(word) },
                setValue: { object.writeSpecial($0, word) }
            )
        }

        static func coded(_ object: CoreStoreObject, _ word: FieldWord) -> Self {
            Self(
                getPrimitive: { object.decodedPrimitive(word) },
                setPrimitive: { object.encodePrimitive($0, word) },
                getValue: { object.readCoded(word) },
                setValue: { object.writeCoded($0, word) }
            )
        }

        static func virtual(_ object: CoreStoreObject, _ word: FieldWord) -> Self {
            Self(
                getPrimitive: { object.virtualValue(word) },
                setPrimitive: { object.setVirtualValue($0, word) },
                getValue: { object.readVirtual(word) },
                setValue: { object.writeVirtual($0, word) }
            )
        }
    }
}

extension CoreStoreObject {
    final func primitiveValue<V: FieldStorableType>(_ word: FieldWord) -> V? {
        guard word.isBound, !row.isNull(word.slot) else { return nil }
        return V._read(row, word.slot)
    }

    final func setPrimitiveValue<V: FieldStorableType>(_ value: V?, _ word: FieldWord) {
        guard word.isBound else { return }
        writeStored(value, word.slot)
    }

    final func accessedValue<V: FieldStorableType>(_ word: FieldWord) -> V {
        readSpecial(word)
    }
}
