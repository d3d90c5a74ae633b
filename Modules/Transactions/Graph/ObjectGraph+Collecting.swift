import CofferSchema
import CofferStorage

/// Turning pending changes into change sets.
extension ObjectGraph {
    /// Everything pending, checked and grouped by store.
    func makeChanges() throws(StorageError) -> [StoreChanges] {
        try checkKeptFailure()
        try checkFailures()
        try checkDenials()
        if layout.hasCountedRelationships { try checkCounts() }
        var changes = ChangesByStore()
        let only = stores.count == 1 ? stores.first : nil
        if let only {
            changes[only].set.inserts.reserveCapacity(pending.inserted.count)
            changes[only].set.updates.reserveCapacity(pending.updated.count)
        }
        for object in pending.inserted where !object.isDeleted {
            try add(inserted: object, to: &changes[openStore(of: object, only)])
        }
        for object in pending.updated where !object.isDeleted {
            try add(updated: object, to: &changes[openStore(of: object, only)])
        }
        for object in pending.deleted { add(deleted: object, to: &changes[try openStore(of: object, only)]) }
        try addLinks(to: &changes)
        return changes.all.filter { !$0.set.isEmpty }
    }

    /// - Parameter only: the only store there is, which then needs no looking up.
    private func openStore(of object: CoreStoreObject, _ only: OpenStore?) throws(StorageError) -> OpenStore {
        if let store = only ?? store(of: object) { return store }
        throw StorageError(.closed, "The store of \(object.id) was removed from the data stack.")
    }

    private func add(inserted object: CoreStoreObject, to changes: inout StoreChanges) throws(StorageError) {
        let row = object.row
        try validate(row, nil)
        changes.set.inserts.append(.init(row: row))
    }

    private func add(updated object: CoreStoreObject, to changes: inout StoreChanges) throws(StorageError) {
        guard let base = object.base else { return }
        let row = object.row
        let kinds = layout.entities[row.entity].kinds
        var columns = ColumnSet()
        object.changed.forEachSlot { slot in
            if !row.hasSameValue(slot, kinds[slot], as: base) { columns.insert(slot) }
        }
        guard !columns.isEmpty else { return }
        try validate(row, columns)
        try layout.checkVersion(base)
        changes.set.updates.append(.init(row: row, columns: columns))
        changes.updated.append(object)
    }

    private func add(deleted object: CoreStoreObject, to changes: inout StoreChanges) {
        changes.set.deletes.append(.init(entity: object.row.entity, key: object.id.key))
        changes.deleted.append(object)
    }

    private func addLinks(to changes: inout ChangesByStore) throws(StorageError) {
        for (links, isAdded) in [(pending.addedLinks, true), (pending.removedLinks, false)] {
            for link in links.sorted(by: { ($0.first.key, $0.second.key) < ($1.first.key, $1.second.key) }) {
                guard let store = space(link.first.storage)?.store else { continue }
                let table = layout.linkTables[link.table]
                let entry = ChangeSet.Link(table: link.table, first: link.first.key, second: link.second.key)
                changes[store].relationships.formUnion([table.first, table.second])
                if isAdded { changes[store].set.links.append(entry) } else { changes[store].set.unlinks.append(entry) }
            }
        }
        for (side, owner) in pending.reordered where !owner.isDeleted {
            let relationship = layout.relationships[side.relationship]
            guard case .links(let table, let isFirst) = relationship.storage, let store = store(of: owner) else {
                continue
            }
            let members = try relatedKeys(relationship, of: owner)
            changes[store].relationships.insert(relationship.index)
            for (index, member) in members.enumerated() {
                changes[store].set.links.append(
                    isFirst
                        ? .init(table: table, first: owner.id.key, second: member, firstPosition: Int64(index))
                        : .init(table: table, first: member, second: owner.id.key, secondPosition: Int64(index))
                )
            }
        }
    }
}
