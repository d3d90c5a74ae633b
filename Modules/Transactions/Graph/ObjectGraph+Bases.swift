import CofferSchema
import CofferStorage

/// The rows that pending changes are based on, where other transactions have saved newer ones.
extension ObjectGraph {
    /// Applies pending changes to the rows that are stored now, and skips deletions that another transaction has saved.
    ///
    /// The record of a commit is the difference between the base and the saved row. It must not include changes that other
    /// transactions saved.
    ///
    /// - Parameter nullifiedOnly: whether only the objects are read again whose references are nil because of a change of
    ///   another object, and those with other partners.
    func renewBases(_ store: OpenStore, nullifiedOnly: Bool) throws(StorageError) {
        var objects: [CoreStoreObject]
        if nullifiedOnly {
            let owners = Set(pending.nullified.map(\.owner))
            objects = pending.updated.filter { object in
                owners.contains(object.id) || (pending.changesPartners && changesPartner(object))
            }
        } else {
            objects = pending.updated + pending.deleted
        }
        objects.removeAll { self.store(of: $0) !== store }
        var gone: Set<ObjectID> = []
        var released: Set<ObjectID> = []
        for (storage, members) in Dictionary(grouping: objects, by: \.id.storage) {
            guard let root = store.root(of: ObjectID(storage: storage, key: 0)) else { continue }
            let keys = Set(members.map(\.id.key)).sorted()
            let rows = try read(store, "save") { reader throws(StorageError) in
                try reader.rows(root: root, keys: keys)
            }
            let byKey = Dictionary(rows.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
            for object in members {
                if let row = byKey[object.id.key] {
                    renewBase(of: object, row)
                } else if object.isDeleted {
                    gone.insert(object.id)
                } else if hasOnlyNullifiedColumns(object) {
                    released.insert(object.id)
                    gone.insert(object.id)
                }
            }
        }
        guard !gone.isEmpty else { return }
        for object in pending.updated where released.contains(object.id) {
            if let base = object.base { object.forgetChanges(restoring: base) }
            object.state.insert(.isDeleted)
        }
        pending.updated.removeAll { released.contains($0.id) }
        // Others have deleted these too, and observers were told.
        pending.deleted.removeAll { gone.contains($0.id) }
        for link in pending.removedLinks where gone.contains(link.first) || gone.contains(link.second) {
            pending.removedLinks.remove(link)
        }
        for id in gone { table(id.storage)?.remove(id.key) }
    }

    private func changesPartner(_ object: CoreStoreObject) -> Bool {
        layout.entities[object.row.entity].partnerSlots.contains { object.changed.contains($0) }
    }

    /// Whether only delete rules have changed an object.
    ///
    /// Nothing is lost if others have deleted it.
    func hasOnlyNullifiedColumns(_ object: CoreStoreObject) -> Bool {
        guard let base = object.base, !throwsOnConflict, readLog == nil,
            !pending.failures.keys.contains(where: { $0.owner == object.id })
        else { return false }
        var columns = savedColumns(of: object, base)
        for reference in layout.entities[base.entity].references
        where pending.nullified.contains(.init(owner: object.id, slot: reference.slot)) {
            columns.remove(reference.slot)
            if let place = reference.positionSlot { columns.remove(place) }
        }
        for slot in layout.entities[base.entity].partnerSlots
        where pending.nullified.contains(.init(owner: object.id, slot: slot)) { columns.remove(slot) }
        return columns.isEmpty
    }

    private func renewBase(of object: CoreStoreObject, _ row: Row) {
        let base = object.base ?? object.row
        guard base.version < row.version else { return }
        let columns = object.isDeleted ? ColumnSet() : savedColumns(of: object, base)
        guard mayRenew(object, columns) else { return }
        guard !object.isDeleted else { return object.base = row }
        noteRelations(base, row)
        // A column that was set to its stored value is not saved.
        object.changed = columns
        merge(row, into: object)
    }

    /// Whether an object may be put on a newer row.
    ///
    /// Where that is a conflict, the store must be told what the change was based on. An object that has only other
    /// members of its relationships is no conflict.
    private func mayRenew(_ object: CoreStoreObject, _ columns: ColumnSet) -> Bool {
        guard throwsOnConflict || readLog != nil else { return true }
        return !object.isDeleted && columns.isEmpty
    }

    /// The columns whose values differ from those that an object was read with.
    ///
    /// A reference and the object's place among the members there are set together, and saved together.
    func savedColumns(of object: CoreStoreObject, _ base: Row) -> ColumnSet {
        savedColumns(object.changed, of: object.row, base)
    }

    /// The changed columns of a row that differ from those of its base.
    func savedColumns(_ changed: ColumnSet, of row: Row, _ base: Row) -> ColumnSet {
        let entity = layout.entities[base.entity]
        var columns = ColumnSet()
        changed.forEachSlot { slot in
            if !row.hasSameValue(slot, entity.kinds[slot], as: base) { columns.insert(slot) }
        }
        for reference in entity.references where columns.contains(reference.slot) {
            if let place = reference.positionSlot, changed.contains(place) { columns.insert(place) }
        }
        return columns
    }

    /// Applies a newer stored row to a changed object, unless that is a conflict.
    func mergeUnlessConflict(_ row: Row, into object: CoreStoreObject) {
        guard object.state.contains(.isUpdated), !object.isDeleted, let base = object.base, base.version < row.version,
            mayRenew(object, savedColumns(of: object, base))
        else { return }
        merge(row, into: object)
    }
}
