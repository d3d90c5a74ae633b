package import CofferSchema
package import CofferStorage
import Foundation

/// Creating, changing and deleting objects.
extension ObjectGraph {
    /// A new object with defaults and dynamic initial values.
    func create(in destination: Destination) throws(StorageError) -> CoreStoreObject {
        let entity = destination.entity
        let key = try destination.nextKey()
        let row = entity.template.instance(key: key, tailCapacity: tailCapacity(entity))
        let object = entity.makeObject(
            RowReference(retaining: row), ObjectID(storage: destination.storage, key: key), in: context)
        object.state = watches ? [.isInserted, .isWritable, .isWatched] : [.isInserted, .isWritable]
        destination.table.sweepIfDue()
        destination.table.insert(object, key)
        pending.inserted.append(object)
        for (slot, value) in entity.dynamicInitialValues { object.writeInitialValue(value, slot) }
        return object
    }

    /// An object that cannot be saved, for want of a key or a store.
    func unsavedObject(of entity: EntityBinding) -> CoreStoreObject {
        let row = entity.template.instance(key: -1, tailCapacity: tailCapacity(entity))
        let root = layout.entities[entity.layout.root].name
        let nowhere = KeySpace(store: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)), entityName: root)
        let object = entity.makeObject(RowReference(retaining: row), ObjectID(space: nowhere, key: -1), in: context)
        object.state = [.isInserted, .isWritable]
        return object
    }

    /// Takes over an object that a child transaction created.
    func adopt(_ row: Row, in store: OpenStore) -> CoreStoreObject? {
        let number = store.keySpaces[row.entity]
        guard let table = table(number) else { return nil }
        if let known = table.object(row.key) { return known }
        let id = ObjectID(storage: number, key: row.key)
        let object = binding.entities[row.entity].makeObject(RowReference(retaining: row), id, in: context)
        object.state = watches ? [.isInserted, .isWatched] : .isInserted
        table.insert(object, row.key)
        pending.inserted.append(object)
        return object
    }

    /// Deletes objects and does what their relationships' delete rules say.
    ///
    /// All that the rules look at is read before anything is deleted: when that fails, nothing was.
    func delete(_ objects: some BidirectionalCollection<CoreStoreObject>) throws(StorageError) {
        let named = objects.map(\.canonical)
        try restoreReturned(named)
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
            keep(error, isPartial: true)
            throw error
        }
        withExtendedLifetime(related) {}
        forgetCascades(of: objects.lazy.map(\.id))
        undo?.hasUnrecordedChanges = true
    }

    /// Reads the objects that delete rules look at when some are deleted.
    ///
    /// - Returns: what must be held until they are deleted, so that nothing is read again.
    func loadForDeleting(
        _ objects: some BidirectionalCollection<CoreStoreObject>
    ) throws(StorageError) -> [CoreStoreObject] {
        var loaded: [CoreStoreObject] = []
        var seen: Set<ObjectIdentifier> = []
        for object in objects.reversed() where !object.isDeleted {
            var rest = [object]
            while let next = rest.popLast() {
                let relationships = layout.entities[next.row.entity].relationships
                guard relationships.contains(where: { isReadForDeleting(layout.relationships[$0]) }) else { continue }
                guard !next.isDeleted, seen.insert(ObjectIdentifier(next)).inserted else { continue }
                for index in relationships where isReadForDeleting(layout.relationships[index]) {
                    let related = try relatedObjects(layout.relationships[index], of: next)
                    loaded += related
                    if layout.relationships[index].deleteRule == .cascade { rest += related }
                }
            }
        }
        return loaded
    }

    /// Whether deleting an object looks at what a relationship leads to, rather than at its own reference alone.
    private func isReadForDeleting(_ relationship: RelationshipLayout) -> Bool {
        relationship.deleteRule != .nullify || relationship.isToMany
            || !layout.relationships[relationship.inverse].isToMany
    }

    private func delete(
        _ object: CoreStoreObject, deletingToo rest: inout [CoreStoreObject]
    ) throws(StorageError) {
        guard !object.isDeleted else { return }
        object.state.insert(.isDeleted)
        noteStaleChildren()
        if !object.state.contains(.isInserted) { pending.addDeleted(object) }
        for index in layout.entities[object.row.entity].relationships {
            try follow(layout.relationships[index], of: object, deletingToo: &rest)
        }
    }

    private func follow(
        _ relationship: RelationshipLayout, of object: CoreStoreObject, deletingToo rest: inout [CoreStoreObject]
    ) throws(StorageError) {
        switch relationship.deleteRule {
        case .nullify:
            try detach(object, relationship)
        case .cascade:
            let related = try relatedObjects(relationship, of: object).filter { references($0, object, relationship) }
            noteCascade(relationship, of: object, to: related)
            try detach(object, relationship)
            rest += related
        case .deny where object.state.contains(.isInserted):
            try detach(object, relationship)
        case .deny:
            let related = try relatedObjects(relationship, of: object)
            if !related.isEmpty {
                pending.denials.append(.init(object: object, relationship: relationship.index, related: related))
            }
        }
    }

    /// The objects a relationship of either kind leads to.
    func relatedObjects(
        _ relationship: RelationshipLayout, of object: CoreStoreObject
    ) throws(StorageError) -> [CoreStoreObject] {
        if relationship.isToMany { return try toMany(relationship, of: object) }
        return try toOne(relationship, of: object).map { [$0] } ?? []
    }

    /// Whether each write must be told to the graph, because it may be undone.
    var watches: Bool { undo != nil }

    /// Makes an object writable, recording that it changes.
    func beginChange(_ object: CoreStoreObject) {
        noteIndexed(object)
        guard !object.state.contains(.isWritable) else { return }
        if !object.state.contains(.isInserted) {
            if object.base == nil { object.base = object.row }
            if !object.state.contains(.isUpdated) {
                object.state.insert(.isUpdated)
                pending.updated.append(object)
            }
        }
        object.row = object.row.roomier(by: 16)
        object.state.insert(watches ? [.isWritable, .isWatched] : .isWritable)
    }

    /// Writes a slot of kind integer or reference, as the graph itself does for relationships.
    func write(_ integer: Int64?, _ slot: Int, of object: CoreStoreObject) {
        beginChange(object)
        if !pending.nullified.isEmpty { pending.nullified.remove(.init(owner: object.id, slot: slot)) }
        if let integer { object.row.write(integer: integer, slot) } else { object.row.writeNull(slot) }
        object.markChanged(slot)
    }
}

extension ObjectGraph: ObjectContextDriver {
    package func willRead(_ object: CoreStoreObject) {
        Diagnostics.assert(
            isAccessAllowed(),
            "'\(type(of: object))' was read outside the queue of its data stack or transaction. Fetch it where you use it."
        )
    }

    package func willChange(_ object: CoreStoreObject) -> Bool {
        guard mayChange(object) else { return false }
        beginChange(object)
        return true
    }

    /// Whether an object may be changed; it is a mistake when not.
    func mayChange(_ object: CoreStoreObject) -> Bool {
        guard isEditable, !isFinished else {
            Diagnostics.refuse(
                isFinished
                    ? "'\(type(of: object))' cannot be changed: its transaction is over."
                    : "'\(type(of: object))' cannot be changed outside a transaction. Get it by 'transaction.edit(_:)'."
            )
            return false
        }
        #if DEBUG
            Diagnostics.assert(isAccessAllowed(), "'\(type(of: object))' was changed outside its transaction's queue.")
        #endif
        if object.isDeleted {
            do throws(StorageError) {
                try restoreReturned(CollectionOfOne(object))
            } catch {
                keep(error, "\(object.id) could not be read. Its change is dropped.")
            }
        }
        guard !object.isDeleted else {
            Diagnostics.log(.warning, "\(object.id) was changed after it was deleted. The change is dropped.")
            return false
        }
        return true
    }

    package func didChange(_ object: CoreStoreObject, slot: Int) {
        // An observer may have fetched between the permission and the write.
        noteIndexed(object)
        undo?.hasUnrecordedChanges = true
    }

    package func didFail(_ object: CoreStoreObject, slot: Int, _ error: StorageError?) {
        if error == nil, pending.failures.isEmpty { return }
        pending.failures[.init(owner: object.id, slot: slot)] = error.map { .init(object: object, error: $0) }
    }

    package func refresh(_ object: CoreStoreObject, mergingChanges: Bool) {
        do throws(StorageError) {
            try reload([object.canonical], mergingChanges: mergingChanges)
        } catch {
            keep(error, "\(object.id) could not be refreshed.")
        }
    }

    /// Reads the rows of objects again.
    ///
    /// - Parameter mergingChanges: whether pending changes are kept; otherwise they are dropped.
    /// - Parameter isWhole: whether these are all objects of the transaction. References of pending changes to deleted
    ///   objects are dropped then.
    func reload(
        _ objects: [CoreStoreObject], mergingChanges: Bool, isWhole: Bool = false
    ) throws(StorageError) {
        try reloadRows(of: objects, mergingChanges: mergingChanges, isWhole)
        if isWhole { for store in stores { try confirmCascades(store) } }
        guard throwsOnConflict, mergingChanges else { return }
        // The orders that are pending are put on the members that are stored now.
        for (side, owner) in pending.reordered where !owner.isDeleted {
            _ = try relatedKeys(layout.relationships[side.relationship], of: owner)
        }
    }

    private func reloadRows(
        of objects: [CoreStoreObject], mergingChanges: Bool, _ isWhole: Bool
    ) throws(StorageError) {
        defer { forgetRelatedKeys() }
        pendingIndex = PendingIndex()
        let saved = objects.filter { !$0.state.contains(.isInserted) && !$0.state.contains(.meta) }
        var refreshed: [(object: CoreStoreObject, row: Row?)] = []
        for (number, members) in Dictionary(grouping: saved, by: \.id.storage) {
            guard let (_, store) = space(number), let root = store.root(of: ObjectID(storage: number, key: 0)) else {
                continue
            }
            let keys = members.map(\.id.key)
            let rows = try read(store, "refresh") { reader throws(StorageError) in
                try reader.rows(root: root, keys: keys)
            }
            let byKey = Dictionary(rows.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
            for object in members { refreshed.append((object, byKey[object.id.key])) }
        }
        let lost = isWhole ? try lostTargets() : []
        if !mergingChanges { forgetLinks(of: Set(saved.map(\.id))) }
        for (object, row) in refreshed { reload(object, from: row, mergingChanges: mergingChanges) }
        forgetDeletions(of: refreshed.filter { $0.row == nil }.map(\.object))
        if mergingChanges { rebaseHistory(on: refreshed) }
        dropReferences(to: lost)
        if isWhole { for store in stores { try unrelatePartners(store) } }
        try renewExpected(of: saved)
    }

    private func reload(_ object: CoreStoreObject, from row: Row?, mergingChanges: Bool) {
        guard let row else {
            if object.state.contains(.isUpdated), !object.isDeleted {
                Diagnostics.log(
                    .warning, "\(object.id) was deleted elsewhere. What was changed of it here cannot be saved.")
            }
            return object.state.formUnion(.isDeleted)
        }
        if !mergingChanges {
            object.forgetChanges(restoring: row)
            pending.updated.removeAll { $0 === object }
            pending.failures = pending.failures.filter { $0.value.object !== object }
        } else if object.state.contains(.isUpdated) {
            putChanges(of: object, on: row)
        } else {
            object.row = row
            forgetVirtualValues(of: object)
        }
    }
}

extension CoreStoreObject {
    /// Drops what was changed.
    func forgetChanges(restoring row: Row) {
        self.row = row
        base = nil
        changed = ColumnSet()
        attachment?.virtualValues = nil
        state.subtract([.isWritable, .isUpdated, .isWatched])
    }
}
