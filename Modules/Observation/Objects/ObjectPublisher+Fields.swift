public import CofferSchema
import CofferStorage
import CofferTransactions

/// Reads the fields of a published object: `publisher.$name`.
///
/// A value is nil after the object was deleted.
extension ObjectPublisher where O: CoreStoreObject {
    /// The value of a stored field, through its accessors.
    public subscript<OBase, V>(dynamicMember member: KeyPath<O, FieldContainer<OBase>.Stored<V>>) -> V? {
        value(KeyPathString(keyPath: member))
    }

    /// The value of a virtual field.
    public subscript<OBase, V>(dynamicMember member: KeyPath<O, FieldContainer<OBase>.Virtual<V>>) -> V? {
        value(KeyPathString(keyPath: member))
    }

    /// The value of a coded field, through its accessors.
    public subscript<OBase, V>(dynamicMember member: KeyPath<O, FieldContainer<OBase>.Coded<V>>) -> V? {
        value(KeyPathString(keyPath: member))
    }

    /// The publishers of the related objects.
    public subscript<OBase, V: PublishedRelationshipType>(
        dynamicMember member: KeyPath<O, FieldContainer<OBase>.Relationship<V>>
    ) -> V.PublishedType? {
        guard let object, let graph = graph(reading: object) else { return nil }
        let key = KeyPathString(keyPath: member)
        guard let relationship = graph.layout.entities[object.row.entity].relationship(named: key) else { return nil }
        return V._published(graph.relatedIDs(relationship, of: object), in: cs_dataStack())
    }

    /// Any other property of the object.
    @_disfavoredOverload
    public subscript<V>(dynamicMember member: KeyPath<O, V>) -> V? { object?[keyPath: member] }

    /// The value of the field with a name.
    func value<V>(_ key: KeyPathString) -> V? {
        guard let object, let graph = graph(reading: object) else { return nil }
        return graph.value(key, of: object).flatMap { $0 as? V }
    }

    /// Returns the graph of the live object, after the check that the view queue reads the object.
    private func graph(reading object: O) -> ObjectGraph? {
        guard let graph = cs_dataStack()?._graph else { return nil }
        graph.willRead(object)
        return graph
    }
}
