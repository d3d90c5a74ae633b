/// A field's custom getter, with the class it was declared in hidden.
struct FieldReader<V> {
    let read: (CoreStoreObject, FieldWord) -> V

    static func adapting<O: CoreStoreObject>(
        _ getter: @escaping (ObjectProxy<O>, ObjectProxy<O>.FieldProxy<V>) -> V,
        _ field: @escaping (CoreStoreObject, FieldWord) -> ObjectProxy<O>.FieldProxy<V>
    ) -> FieldReader {
        FieldReader { object, word in
            // Accessors are looked up by the object's own entity, so the object is an O.
            getter(ObjectProxy(unsafeDowncast(object, to: O.self)), field(object, word))
        }
    }
}

/// A field's custom setter, with the class it was declared in hidden.
struct FieldWriter<V> {
    let write: (CoreStoreObject, FieldWord, V) -> Void

    static func adapting<O: CoreStoreObject>(
        _ setter: @escaping (ObjectProxy<O>, ObjectProxy<O>.FieldProxy<V>, V) -> Void,
        _ field: @escaping (CoreStoreObject, FieldWord) -> ObjectProxy<O>.FieldProxy<V>
    ) -> FieldWriter {
        FieldWriter { object, word, value in
            setter(ObjectProxy(unsafeDowncast(object, to: O.self)), field(object, word), value)
        }
    }
}

extension FieldDescriptor {
    func reader<V>(_ type: V.Type) -> FieldReader<V>? {
        switch kind {
        case .stored(let field): field.customGetter as? FieldReader<V>
        case .virtual(let field): field.customGetter as? FieldReader<V>
        case .relationship: nil
        }
    }

    func writer<V>(_ type: V.Type) -> FieldWriter<V>? {
        switch kind {
        case .stored(let field): field.customSetter as? FieldWriter<V>
        case .virtual(let field): field.customSetter as? FieldWriter<V>
        case .relationship: nil
        }
    }
}
