import CofferSchema
import CofferStorage

/// Reads the members of relationships from the stores, for delete rules and checks of a commit.
struct StoredRelations {
    let state: ContextState

    /// Returns the stored rows that are related to some owners, by the keys of the owners.
    func storedMembers(
        _ relationship: RelationshipLayout, of owners: [Int64], _ store: OpenStore
    ) throws(StorageError) -> [RelatedRows] {
        guard case .reference = relationship.storage else {
            return try state.readers.read(store, "save") { reader throws(StorageError) in
                try reader.related(relationship.index, of: owners)
            }
        }
        // The deleted row's own reference is deleted with it; the related row has its own reference.
        let inverse = state.layout.relationships[relationship.inverse]
        guard case .reference(let slot, _) = inverse.storage else { return [] }
        let request = RowRequest(
            entity: inverse.owner,
            predicate: .isIn(.column(slot: slot, kind: .reference), owners.map(Value.integer)))
        let rows = try state.readers.read(store, "save") { reader throws(StorageError) in try reader.rows(request) }
        return Dictionary(grouping: rows) { $0.integer(slot) }.sorted { $0.key < $1.key }.map {
            RelatedRows(owner: $0.key, rows: $0.value)
        }
    }

    /// Returns the ids without a stored or pending row.
    func missing(_ ids: Set<ObjectID>) throws(StorageError) -> Set<ObjectID> {
        let wanted = ids.filter { id in
            guard let known = state.identities.object(id) else { return true }
            return !known.state.contains(.isInserted) || known.isDeleted
        }
        return try wanted.subtracting(state.storedRows(wanted, "save").keys)
    }

    /// Returns the keys of the objects that the store relates to some owners, by the keys of the owners.
    func storedKeys(
        _ relationship: RelationshipLayout, of owners: [Int64], _ store: OpenStore, _ operation: String
    ) throws(StorageError) -> [Int64: Set<Int64>] {
        var keys: [Int64: Set<Int64>] = [:]
        if case .reference(let slot, _) = relationship.storage {
            let inverse = state.layout.relationships[relationship.inverse]
            guard inverse.isToMany else {
                // The reference in the related row decides.
                for related in try storedMembers(relationship, of: owners, store) {
                    keys[related.owner] = Set(related.rows.map(\.key))
                }
                return keys
            }
            let root = state.layout.entities[relationship.owner].root
            for row in try state.readers.rows(owners, root: root, store, operation) where !row.isNull(slot) {
                keys[row.key] = [row.integer(slot)]
            }
            return keys
        }
        for related in try state.readers.members(relationship.index, of: owners, store, operation) {
            keys[related.owner] = Set(related.members.map(\.key))
        }
        return keys
    }
}
