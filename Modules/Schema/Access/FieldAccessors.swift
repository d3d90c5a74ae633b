/// A type-erased custom getter of a field: its type does not name the class that declares the field.
struct FieldReader<V> {
    let read: (CoreStoreObject, FieldWord) -> V
}

/// A field's custom setter, with the class it was declared in hidden.
struct FieldWriter<V> {
    let write: (CoreStoreObject, FieldWord, V) -> Void
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
