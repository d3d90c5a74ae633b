import CofferSchema
import CofferStorage
import CofferStorageTools

/// Finds unchanged objects that a request may match or sort differently because of pending changes of related objects.
///
/// A new track affects its album, if the request counts the tracks of an album. The search starts with the pending
/// objects and links, and follows the relationships of the request backwards. For all other unchanged objects, the
/// store decides whether they match the request, and how they are sorted.
struct AffectedOwners {
    let state: ContextState
    let store: OpenStore
    let reader: any StorageReader
    /// With more objects, evaluating all objects may cost less.
    private static let limit = 10_000

    private var layout: ModelLayout { state.layout }

    /// The keys of the affected objects in the inheritance tree of the request's entity; nil if there are too many.
    func keys(_ request: RowRequest) throws(StorageError) -> Set<Int64>? {
        let relationships = request.relationships.map { layout.relationships[$0] }
        // The stored objects whose owners are looked for next, and the owners that were found, by root entity.
        var (next, found) = (changedKeys(), [Int: Set<Int64>]())
        var owners = linkedOwners(relationships)
        addReferencedOwners(relationships, to: &owners)
        // The former references of changed objects are known, unless another transaction has changed them, too.
        var wanted = relationships
        if state.keepsSnapshot { wanted.removeAll { if case .inverse = $0.storage { true } else { false } } }
        while true {
            guard let stored = try storedOwners(wanted, of: next) else { return nil }
            for (root, keys) in stored { owners[root, default: []].formUnion(keys) }
            wanted = relationships
            next = [:]
            for (root, keys) in owners {
                let unchanged = UnchangedRows(state, store, root)
                let new = keys.filter { unchanged.contains($0) && found[root]?.contains($0) != true }
                if new.isEmpty { continue }
                found[root, default: []].formUnion(new)
                next[root] = new.sorted()
            }
            if next.isEmpty { return found[layout.entities[request.entity].root] ?? [] }
            if found.values.reduce(0, { $0 + $1.count }) > Self.limit { return nil }
            owners = [:]
        }
    }

    /// The stored objects with pending changes.
    private func changedKeys() -> [Int: [Int64]] {
        var keys: [Int: [Int64]] = [:]
        forEachPending { object, root in
            if !object.state.contains(.isInserted) { keys[root, default: []].append(object.id.key) }
        }
        return keys
    }

    private func forEachPending(_ body: (CoreStoreObject, _ root: Int) -> Void) {
        for objects in [state.pending.inserted, state.pending.updated, state.pending.deleted] {
            for object in objects {
                let root = object.held.lent { layout.entities[$0.entity].root }
                if object.id.storage == store.keySpaces[root] { body(object, root) }
            }
        }
    }

    /// The owners of added and removed links.
    private func linkedOwners(_ relationships: [RelationshipLayout]) -> [Int: Set<Int64>] {
        var owners: [Int: Set<Int64>] = [:]
        for relationship in relationships {
            guard case .links(let table, let isFirst) = relationship.storage else { continue }
            let root = layout.entities[relationship.owner].root
            for links in [state.pending.addedLinks, state.pending.removedLinks] {
                for link in links where link.table == table {
                    // If the relationship is its own inverse, both ends are owners, and a link is kept one way only.
                    let ends =
                        relationship.inverse == relationship.index
                        ? [link.first, link.second]
                        : [isFirst ? link.first : link.second]
                    for owner in ends where owner.storage == store.keySpaces[root] {
                        owners[root, default: []].insert(owner.key)
                    }
                }
            }
        }
        return owners
    }

    /// Adds the owners to which pending objects refer, or referred before.
    private func addReferencedOwners(_ relationships: [RelationshipLayout], to owners: inout [Int: Set<Int64>]) {
        for relationship in relationships {
            guard case .inverse(let slot, _) = relationship.storage else { continue }
            let (members, root) = (relationship.destination, layout.entities[relationship.owner].root)
            var keys: Set<Int64> = []
            forEachPending { object, memberRoot in
                guard memberRoot == layout.entities[members].root else { return }
                if let base = object.base, let key = base.reference(slot, members, layout) { keys.insert(key) }
                if let key = object.held.lent({ $0.reference(slot, members, layout) }) { keys.insert(key) }
            }
            owners[root, default: []].formUnion(keys)
        }
    }

    /// Returns the stored owners of some stored objects; nil if there are too many objects or owners.
    private func storedOwners(
        _ relationships: [RelationshipLayout], of members: [Int: [Int64]]
    ) throws(StorageError) -> [Int: Set<Int64>]? {
        var owners: [Int: Set<Int64>] = [:]
        for relationship in relationships {
            let memberRoot = layout.entities[relationship.destination].root
            guard let keys = members[memberRoot], !keys.isEmpty else { continue }
            if keys.count > Self.limit { return nil }
            let root = layout.entities[relationship.owner].root
            switch relationship.storage {
            case .reference(let slot, _):
                let references = RowPredicate.isIn(.column(slot: slot, kind: .reference), keys.map { .integer($0) })
                var request = RowRequest(entity: relationship.owner, predicate: references)
                request.limit = Self.limit + 1
                let referring = try reader.keys(request)
                if referring.count > Self.limit { return nil }
                owners[root, default: []].formUnion(referring)
            case .inverse(let slot, _):
                for row in try reader.rows(root: memberRoot, keys: keys) {
                    guard let key = row.reference(slot, relationship.destination, layout) else { continue }
                    owners[root, default: []].insert(key)
                }
            case .links:
                for related in try reader.members(relationship.inverse, of: keys) {
                    owners[root, default: []].formUnion(related.members.map(\.key))
                }
            }
        }
        return owners
    }
}

extension Row {
    /// The key in a reference of an entity; nil if it is null, or if the row is of another entity.
    fileprivate func reference(_ slot: Int, _ entity: Int, _ layout: ModelLayout) -> Int64? {
        layout.entity(self.entity, isKindOf: entity) && holds(slot) ? integer(slot) : nil
    }
}
