/// A field's custom getter, with the class it was declared in hidden.
struct FieldReader<V> {
    let read: (CoreStoreObject, FieldWord) -> V

    static func adapting<O: CoreStoreObject>(
        _ getter: @escaping (ObjectProxy<O>, ObjectProxy<O>.FieldProxy<V>) -> V
    ) -> FieldReader where V: FieldStorableType {
        FieldReader { object, word in
            // Accessors are looked up by the object's own entity, so the object is an O.
            let proxy = ObjectProxy(unsafeDowncast(object, to: O.self))
            return getter(proxy, .stored(object, word))
        }
    }
}

/// A field's custom setter, with the class it was declared in hidden.
struct FieldWriter<V> {
    let write: (CoreStoreObject, FieldWord, V) -> Void

    static func adapting<O: CoreStoreObject>(
        _ setter: @escaping (ObjectProxy<O>, ObjectProxy<O>.FieldProxy<V>, V) -> Void
    ) -> FieldWriter where V: FieldStorableType {
        FieldWriter { object, word, value in
            let proxy = ObjectProxy(unsafeDowncast(object, to: O.self))
            setter(proxy, .stored(object, word), value)
        }
    }
}

extension FieldDescriptor {
    func reader<V>(_ type: V.Type) -> FieldReader<V>? {
        if case .stored(let field) = kind { field.customGetter as? FieldReader<V> } else { nil }
    }

    func writer<V>(_ type: V.Type) -> FieldWriter<V>? {
        if case .stored(let field) = kind { field.customSetter as? FieldWriter<V> } else { nil }
    }
}
