/// A type-erased custom getter of a field: its type does not name the class that declares the field.
struct FieldReader<V> {
    let read: (CoreStoreObject, FieldWord) -> V
}

/// A type-erased custom setter of a field: its type does not name the class that declares the field.
struct FieldWriter<V> {
    let write: (CoreStoreObject, FieldWord, V) -> Void
}

extension FieldDescriptor.Accessors {
    init<V>(_ getter: FieldReader<V>?, _ setter: FieldWriter<V>?, _ fallback: FieldFallback<V>? = nil) {
        self.init(getter: getter, setter: setter, fallback: fallback)
    }
}

extension FieldDescriptor {
    func reader<V>(_ type: V.Type) -> FieldReader<V>? { accessors.getter as? FieldReader<V> }

    func writer<V>(_ type: V.Type) -> FieldWriter<V>? { accessors.setter as? FieldWriter<V> }
}
