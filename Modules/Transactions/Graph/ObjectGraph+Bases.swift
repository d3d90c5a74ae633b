import CofferSchema
import CofferStorage

/// The rows that pending changes are based on, where other transactions have saved newer ones.
extension ObjectGraph {
    /// Puts what is pending on the rows that are stored now, and passes over what others have deleted too.
    ///
    /// Observers are told the difference between the base and the saved row: what others saved before is none of it.
    func renewBases(_ store: OpenStore) throws(StorageError) {
        // Where that is a conflict, the store must be told what the change was based on.
        let mayRenew = !throwsOnConflict && readLog == nil
        let changed = mayRenew ? pending.updated + pending.deleted : pending.deleted
        let objects = changed.filter { self.store(of: $0) === store }
        var gone: Set<ObjectID> = []
        for (storage, members) in Dictionary(grouping: objects, by: \.id.storage) {
            guard let root = store.root(of: ObjectID(storage: storage, key: 0)) else { continue }
            let keys = Set(members.map(\.id.key)).sorted()
            let rows = try read(store, "save") { reader throws(StorageError) in
                try reader.rows(root: root, keys: keys)
            }
            let byKey = Dictionary(rows.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
            for object in members {
                if let row = byKey[object.id.key] {
                    if mayRenew { renewBase(of: object, row) }
                } else if object.isDeleted {
                    gone.insert(object.id)
                }
            }
        }
        guard !gone.isEmpty else { return }
        // Others have deleted these too, and observers were told.
        pending.deleted.removeAll { gone.contains($0.id) }
        for id in gone { table(id.storage)?.remove(id.key) }
    }

    private func renewBase(of object: CoreStoreObject, _ row: Row) {
        let base = object.base ?? object.row
        guard base.version < row.version else { return }
        guard !object.isDeleted else { return object.base = row }
        noteRelations(base, row)
        // What was set to what it was is not saved.
        object.changed = savedColumns(of: object, base)
        merge(row, into: object)
    }

    /// The columns whose values differ from those that an object was read with.
    private func savedColumns(of object: CoreStoreObject, _ base: Row) -> ColumnSet {
        let kinds = layout.entities[base.entity].kinds
        var columns = ColumnSet()
        object.changed.forEachSlot { slot in
            if !object.row.hasSameValue(slot, kinds[slot], as: base) { columns.insert(slot) }
        }
        return columns
    }

    /// Gives an object that is changed here what others have saved.
    ///
    /// Where that is a conflict, the store must be told what the change was based on. An object that has only other
    /// members of its relationships is no conflict.
    func mergeUnlessConflict(_ row: Row, into object: CoreStoreObject) {
        guard object.state.contains(.isUpdated), !object.isDeleted, let base = object.base, base.version < row.version
        else { return }
        let columns = savedColumns(of: object, base)
        if throwsOnConflict || readLog != nil, !columns.isEmpty { return }
        // What was set to what it was is not saved.
        object.changed = columns
        merge(row, into: object)
    }
}
