import CofferSchema
import CofferStorage

/// Taking over what another graph has committed.
extension ObjectGraph {
    /// Gives the graph's objects the committed values.
    ///
    /// Objects with changes of their own keep those.
    func merge(_ record: CommitRecord) {
        var stale: Set<Int> = []
        for part in record.stores {
            stale.formUnion(part.relationships)
            if layout.hasReferences, hasLoadedOwners { for row in part.inserted { noteReferences(nil, row, &stale) } }
            for (old, new) in part.updated {
                noteReferences(old, new, &stale)
                guard let object = table(part.store.keySpaces[new.entity])?.object(new.key) else { continue }
                merge(new, into: object)
            }
            for row in part.deleted { delete(row, in: part.store, &stale) }
        }
        guard !stale.isEmpty else { return }
        forEachLoadedOwner { _, attachment in
            for relationship in stale { attachment.relatedKeys[relationship] = nil }
        }
    }

    /// Gives an object the values someone else has saved, but for those it has changed itself.
    func merge(_ row: Row, into object: CoreStoreObject) {
        guard object.state.contains(.isUpdated), let base = object.base else {
            guard object.row.version < row.version else { return }
            object.row = row
            forgetVirtualValues(of: object)
            return
        }
        if base.version < row.version { putChanges(of: object, on: row) }
    }

    /// Makes a newer row the base of an object that is changed here.
    ///
    /// A property that was set to the value that it had is no change.
    func putChanges(of object: CoreStoreObject, on row: Row) {
        noteIndexed(object)
        if let base = object.base {
            let changed = savedColumns(of: object, base)
            object.changed = stillValid(changed, of: object, base, row, pending.nullified)
        }
        object.row = laid(object.row, object.changed, over: row)
        object.base = row
        object.state.insert(.isWritable)
        forgetVirtualValues(of: object)
    }

    /// The changed columns that are still valid on a newer row.
    ///
    /// If others have changed a reference, two columns become invalid: a place in the order of the former target, and a nil
    /// that a delete rule has set.
    func stillValid(
        _ changed: ColumnSet, of object: CoreStoreObject, _ base: Row, _ row: Row,
        _ nullified: Set<PendingChanges.Field>
    ) -> ColumnSet {
        var columns = changed
        for reference in layout.entities[row.entity].references {
            guard !base.hasSameValue(reference.slot, .reference, as: row) else { continue }
            if changed.contains(reference.slot) {
                guard nullified.contains(.init(owner: object.id, slot: reference.slot)) else { continue }
                columns.remove(reference.slot)
            }
            if let place = reference.positionSlot { columns.remove(place) }
        }
        for slot in layout.entities[row.entity].partnerSlots
        where changed.contains(slot) && nullified.contains(.init(owner: object.id, slot: slot)) {
            if !base.hasSameValue(slot, .reference, as: row) { columns.remove(slot) }
        }
        return columns
    }

    private func delete(_ row: Row, in store: OpenStore, _ stale: inout Set<Int>) {
        noteReferences(nil, row, &stale)
        let entity = layout.entities[row.entity]
        for index in entity.relationships {
            if case .links = layout.relationships[index].storage { stale.insert(layout.relationships[index].inverse) }
        }
        guard let table = table(store.keySpaces[row.entity]), let object = table.object(row.key) else { return }
        object.state.insert(.isDeleted)
        if object.state.isDisjoint(with: [.isUpdated, .isInserted]) { table.remove(row.key) }
    }

    /// Notes the to-many relationships that a row is in by way of its references, when those changed.
    private func noteReferences(_ old: Row?, _ new: Row, _ stale: inout Set<Int>) {
        for reference in layout.entities[new.entity].references {
            if let old, old.hasSameValue(reference.slot, .reference, as: new),
                reference.positionSlot.map({ old.hasSameValue($0, .integer, as: new) }) ?? true
            {
                continue
            }
            if old == nil, new.isNull(reference.slot), reference.positionSlot == nil { continue }
            stale.insert(reference.inverse)
        }
    }
}

extension ObjectGraph {
    /// Forgets the values that getters of an object's virtual fields have kept, because its other fields have new values.
    ///
    /// The objects of a transaction keep the values that the program may have set.
    func forgetVirtualValues(of object: CoreStoreObject) {
        object.forgetVirtualValues(keepingSet: isEditable)
    }
}
