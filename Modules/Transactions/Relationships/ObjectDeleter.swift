import CofferSchema
import CofferStorage

/// Deletes objects, loads their related objects, and applies the delete rules (nullify, cascade, deny) to them.
struct ObjectDeleter {
    let state: ContextState

    /// Deletes objects, and applies the delete rules of their relationships.
    ///
    /// All related objects that the rules need are read before the first deletion. If this fails, no object is
    /// deleted.
    func delete(_ objects: some BidirectionalCollection<CoreStoreObject>) throws(StorageError) {
        let named = objects.map(\.canonical)
        try state.finder.restoreReturned(named)
        forgetCascades(of: named.lazy.map(\.id))
        let objects = named.filter { !$0.isDeleted }
        guard !objects.isEmpty else { return }
        let related = try loadForDeleting(objects)
        var rest: [CoreStoreObject] = []
        do throws(StorageError) {
            for object in objects.reversed() {
                try delete(object, deletingToo: &rest)
                while let related = rest.popLast() { try delete(related, deletingToo: &rest) }
            }
        } catch {
            state.failures.keep(error, isPartial: true)
            throw error
        }
        withExtendedLifetime(related) {}
        forgetCascades(of: objects.lazy.map(\.id))
        state.undo?.hasUnrecordedChanges = true
    }

    private func delete(
        _ object: CoreStoreObject, deletingToo rest: inout [CoreStoreObject]
    ) throws(StorageError) {
        guard !object.isDeleted else { return }
        object.state.insert(.isDeleted)
        state.noteStaleChildren()
        if !object.state.contains(.isInserted) { state.pending.addDeleted(object) }
        for index in state.layout.entities[object.row.entity].relationships {
            try follow(state.layout.relationships[index], of: object, deletingToo: &rest)
        }
    }

    /// Reads the related objects that the delete rules of some objects need.
    ///
    /// - Returns: the objects to retain until the deletions are complete, so that no object is read again.
    func loadForDeleting(
        _ objects: some BidirectionalCollection<CoreStoreObject>
    ) throws(StorageError) -> [CoreStoreObject] {
        var loaded: [CoreStoreObject] = []
        var seen: Set<ObjectIdentifier> = []
        for object in objects.reversed() where !object.isDeleted {
            var rest = [object]
            while let next = rest.popLast() {
                let relationships = state.layout.entities[next.row.entity].relationships
                guard relationships.contains(where: { isReadForDeleting(state.layout.relationships[$0]) }) else {
                    continue
                }
                guard !next.isDeleted, seen.insert(ObjectIdentifier(next)).inserted else { continue }
                for index in relationships where isReadForDeleting(state.layout.relationships[index]) {
                    let related = try state.loader.relatedObjects(state.layout.relationships[index], of: next)
                    loaded += related
                    if state.layout.relationships[index].deleteRule == .cascade { rest += related }
                }
            }
        }
        return loaded
    }

    /// Whether the deletion of an object reads the related objects of a relationship, and not only its own reference.
    private func isReadForDeleting(_ relationship: RelationshipLayout) -> Bool {
        relationship.deleteRule != .nullify || relationship.isToMany
            || !state.layout.relationships[relationship.inverse].isToMany
    }

    private func follow(
        _ relationship: RelationshipLayout, of object: CoreStoreObject, deletingToo rest: inout [CoreStoreObject]
    ) throws(StorageError) {
        switch relationship.deleteRule {
        case .nullify:
            try state.relationshipEditor.detach(object, relationship)
        case .cascade:
            let related = try state.loader.relatedObjects(relationship, of: object).filter {
                state.deltas.references($0, object, relationship)
            }
            noteCascade(relationship, of: object, to: related)
            try state.relationshipEditor.detach(object, relationship)
            rest += related
        case .deny where object.state.contains(.isInserted):
            try state.relationshipEditor.detach(object, relationship)
        case .deny:
            let related = try state.loader.relatedObjects(relationship, of: object)
            if !related.isEmpty {
                state.pending.deniedDeletions.append(
                    .init(object: object, relationship: relationship.index, related: related))
            }
        }
    }

    /// Records the objects that a cascade deletes.
    ///
    /// Objects that only this transaction relates to the owner are left out.
    func noteCascade(_ relationship: RelationshipLayout, of owner: CoreStoreObject, to members: [CoreStoreObject]) {
        guard !owner.state.contains(.isInserted) else { return }
        for member in members where state.deltas.isStored(relationship, of: owner, member) {
            state.pending.cascades[member.id] = .init(relationship: relationship.index, owner: owner.id)
        }
    }

    /// Removes the cascade records of objects that the program has deleted itself.
    func forgetCascades(of ids: some Sequence<ObjectID>) {
        guard !state.pending.cascades.isEmpty else { return }
        for id in ids { state.pending.cascades[id] = nil }
    }
}
