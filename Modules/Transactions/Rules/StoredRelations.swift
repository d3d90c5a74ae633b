import CofferSchema
import CofferStorage

/// Reads the members of relationships from the stores, for delete rules and checks of a commit.
struct StoredRelations {
    let state: ContextState

    /// The rows that relate themselves to some others in the store, by the keys of these.
    func storedMembers(
        _ relationship: RelationshipLayout, of owners: [Int64], _ store: OpenStore
    ) throws(StorageError) -> [(owner: Int64, rows: [Row])] {
        guard case .reference = relationship.storage else {
            return try state.readers.read(store, "save") { reader throws(StorageError) in
                try reader.related(relationship.index, of: owners).map { ($0.owner, $0.rows) }
            }
        }
        // A reference of the deleted row goes with it; the partner has one of its own.
        let inverse = state.layout.relationships[relationship.inverse]
        guard case .reference(let slot, _) = inverse.storage else { return [] }
        let request = RowRequest(
            entity: inverse.owner,
            predicate: .isIn(.column(slot: slot, kind: .reference), owners.map(Value.integer)))
        let rows = try state.readers.read(store, "save") { reader throws(StorageError) in try reader.rows(request) }
        return Dictionary(grouping: rows) { $0.integer(slot) }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// The ids without a stored or pending row.
    func missing(_ ids: Set<ObjectID>, _ store: OpenStore) throws(StorageError) -> Set<ObjectID> {
        var missing = ids.filter { id in
            guard let known = state.identities.table(id.storage)?.object(id.key) else { return true }
            return !known.state.contains(.isInserted) || known.isDeleted
        }
        for (space, members) in Dictionary(grouping: missing, by: \.storage) {
            guard let root = store.root(of: ObjectID(storage: space, key: 0)) else { continue }
            let keys = members.map(\.key).sorted()
            let rows = try state.readers.read(store, "save") { reader throws(StorageError) in
                try reader.rows(root: root, keys: keys)
            }
            missing.subtract(rows.map { ObjectID(storage: space, key: $0.key) })
        }
        return missing
    }

    /// The keys of the objects that the store relates to some others, by the keys of these.
    func storedKeys(
        _ relationship: RelationshipLayout, of owners: [Int64], _ store: OpenStore, _ operation: String
    ) throws(StorageError) -> [Int64: Set<Int64>] {
        var keys: [Int64: Set<Int64>] = [:]
        if case .reference(let slot, _) = relationship.storage {
            let inverse = state.layout.relationships[relationship.inverse]
            guard inverse.isToMany else {
                // What counts is the partner's own reference.
                for (owner, rows) in try storedMembers(relationship, of: owners, store) {
                    keys[owner] = Set(rows.map(\.key))
                }
                return keys
            }
            let root = state.layout.entities[relationship.owner].root
            let rows = try state.readers.read(store, operation) { reader throws(StorageError) in
                try reader.rows(root: root, keys: owners)
            }
            for row in rows where !row.isNull(slot) { keys[row.key] = [row.integer(slot)] }
            return keys
        }
        let related = try state.readers.read(store, operation) { reader throws(StorageError) in
            try reader.members(relationship.index, of: owners)
        }
        for related in related { keys[related.owner] = Set(related.members.map(\.key)) }
        return keys
    }
}
