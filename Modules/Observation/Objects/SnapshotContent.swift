import CofferSchema
import CofferStorage
import CofferTransactions

// Sendable: immutable. The values of getters are only passed on, as in CoreStore's snapshots.
/// The content of a snapshot: keeps the row, and reads computed values and related ids at its creation.
///
/// Stored values stay in the row that the object has now. A later change of the object does not change this row. Values
/// that getters compute from the object are computed at once.
final class SnapshotContent: @unchecked Sendable {
    let id: ObjectID
    let row: Row
    let entity: EntityBinding
    /// The values of getters and virtual fields, by field name.
    let computed: [KeyPathString: Any]
    /// The ids of the related objects, by the name of the relationship.
    let related: [KeyPathString: [ObjectID]]

    init(_ object: CoreStoreObject, _ graph: ObjectGraph) {
        let object = object.canonical
        id = object.objectID()
        entity = graph.binding.entities[object.row.entity]
        var computed: [KeyPathString: Any] = [:]
        var related: [KeyPathString: [ObjectID]] = [:]
        for (field, word) in entity.fields {
            if case .relationship = field.kind {
                related[field.keyPath] = graph.relatedIDs(word.slot, of: object)
            } else if field.hasAccessors || field.reading.ofRow == nil {
                computed[field.keyPath] = field.reading.ofObject(object, word)
            }
        }
        self.computed = computed
        self.related = related
        // Last, because getters may write.
        row = object.row
    }

    /// Whether both contain the same values of the same object, except for some fields.
    ///
    /// The place of the object in a relationship of another object is not one of its values.
    func hasSameValues(as other: SnapshotContent, except fields: Set<KeyPathString>) -> Bool {
        if self === other { return true }
        guard id == other.id, row.entity == other.row.entity else { return false }
        for (slot, column) in entity.layout.columns.enumerated() {
            guard case .attribute = column.role, !fields.contains(column.name) else { continue }
            guard row.hasSameValue(slot, column.kind, as: other.row) else { return false }
        }
        func others<Value>(_ values: [KeyPathString: Value]) -> [KeyPathString: Value] {
            fields.isEmpty ? values : values.filter { !fields.contains($0.key) }
        }
        return others(related) == others(other.related)
            && AnyValues.areEqual(others(computed), others(other.computed))
    }
}
