import CofferStorage

/// The object, as custom getters and setters see it: `object.$firstName.value`.
@dynamicMemberLookup
public struct ObjectProxy<O: CoreStoreObject> {
    private let object: O

    init(_ object: O) {
        self.object = object
    }

    /// A field of the object, also one declared by a superclass.
    public subscript<OBase, V>(dynamicMember member: KeyPath<O, FieldContainer<OBase>.Stored<V>>) -> FieldProxy<V> {
        .stored(object, object[keyPath: member].word)
    }

    /// A virtual field of the object, also one declared by a superclass.
    public subscript<OBase, V>(dynamicMember member: KeyPath<O, FieldContainer<OBase>.Virtual<V>>) -> FieldProxy<V> {
        .virtual(object, object[keyPath: member].word)
    }

    /// A coded field of the object, also one declared by a superclass.
    public subscript<OBase, V>(dynamicMember member: KeyPath<O, FieldContainer<OBase>.Coded<V>>) -> FieldProxy<V> {
        .coded(object, object[keyPath: member].word)
    }

    /// One field of the object.
    public struct FieldProxy<V> {
        private let getPrimitive: () -> V?
        private let setPrimitive: (V?) -> Void
        private let getValue: () -> V
        private let setValue: (V) -> Void

        /// The stored value, past the field's accessors; nil for null.
        ///
        /// Setting it changes the object, but tells no observer of the field. Setting `value` does.
        public var primitiveValue: V? {
            get { getPrimitive() }
            nonmutating set { setPrimitive(newValue) }
        }

        /// The value through the field's accessors.
        ///
        /// Using it in the field's own accessor never ends.
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
