/// Converts custom getters, whose parameters are proxies of the object and the field, to `FieldReader` values.
extension FieldReader {
    static func adapting<O: CoreStoreObject>(
        _ getter: @escaping (ObjectProxy<O>, ObjectProxy<O>.FieldProxy<V>) -> V, _ access: FieldAccess<V>
    ) -> FieldReader {
        FieldReader { object, word in
            // Accessors are looked up by the object's own entity, so the object is an O.
            getter(
                ObjectProxy(unsafeDowncast(object, to: O.self)), .init(object: object, word: word, access: access))
        }
    }
}

/// Converts custom setters, whose parameters are proxies of the object and the field, to `FieldWriter` values.
extension FieldWriter {
    static func adapting<O: CoreStoreObject>(
        _ setter: @escaping (ObjectProxy<O>, ObjectProxy<O>.FieldProxy<V>, V) -> Void, _ access: FieldAccess<V>
    ) -> FieldWriter {
        FieldWriter { object, word, value in
            setter(
                ObjectProxy(unsafeDowncast(object, to: O.self)), .init(object: object, word: word, access: access),
                value)
        }
    }
}
