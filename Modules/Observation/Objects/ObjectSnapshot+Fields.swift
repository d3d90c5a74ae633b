public import CofferSchema
import CofferStorage

/// Reads and sets the fields of a snapshot: `snapshot.$name`; aborts with a message for an unknown field.
extension ObjectSnapshot where O: CoreStoreObject {
    /// The value of a stored field.
    public subscript<OBase, V>(dynamicMember member: KeyPath<O, FieldContainer<OBase>.Stored<V>>) -> V {
        get {
            let field = MetaObjects.meta(of: O.self)[keyPath: member]
            return value(field.cs_keyPathString) { field.value(in: content.row, of: content.id, content.entity.layout) }
        }
        set { set(newValue, KeyPathString(keyPath: member)) }
    }

    /// The value of a virtual field at the moment of the snapshot.
    ///
    /// If another field of the copy is set, the value is not computed again.
    public subscript<OBase, V>(dynamicMember member: KeyPath<O, FieldContainer<OBase>.Virtual<V>>) -> V {
        get { value(KeyPathString(keyPath: member)) { nil } }
        set { set(newValue, KeyPathString(keyPath: member)) }
    }

    /// The value of a coded field.
    public subscript<OBase, V>(dynamicMember member: KeyPath<O, FieldContainer<OBase>.Coded<V>>) -> V {
        get {
            let field = MetaObjects.meta(of: O.self)[keyPath: member]
            return value(field.cs_keyPathString) { field.value(in: content.row, of: content.id, content.entity.layout) }
        }
        set { set(newValue, KeyPathString(keyPath: member)) }
    }

    /// The publishers of the related objects.
    public subscript<OBase, V: PublishedRelationshipType>(
        dynamicMember member: KeyPath<O, FieldContainer<OBase>.Relationship<V>>
    ) -> V.PublishedType {
        get {
            let key = KeyPathString(keyPath: member)
            return V._published(change(key) ?? content.related[key] ?? [], in: cs_dataStack())
        }
        set { set(V._ids(of: newValue), KeyPathString(keyPath: member)) }
    }

    private func value<V>(_ key: KeyPathString, stored: () -> V?) -> V {
        if let value: V = change(key) { return value }
        if let computed = content.computed[key], let value = computed as? V { return value }
        guard let value = stored() else {
            Diagnostics.abort("'\(O.self)' has no field '\(key)'. Register the class that declares this field.")
        }
        return value
    }
}
