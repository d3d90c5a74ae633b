import CofferSchema
package import CofferStorage

/// What a commit did, for other graphs to take over and for observers.
package struct CommitRecord: Sendable {
    /// The changes in one store.
    package struct InStore: Sendable {
        package let store: OpenStore
        /// New rows, as they are now.
        package var inserted: LazyMapSequence<[ChangeSet.Insert], Row> { inserts.lazy.map(\.row) }
        /// The new rows as they were handed to the store, so that no other list of them need be made.
        package var inserts: [ChangeSet.Insert] = []
        /// Changed rows, as they were and as they are now.
        ///
        /// The old one is nil when this process did not know it.
        package var updated: [(old: Row?, new: Row)] = []
        /// The last known rows of what was deleted.
        package var deleted: [Row] = []
        /// The relationships whose links changed.
        package var relationships: Set<Int> = []
        /// The rows that the store made into something else than it was handed.
        package var refreshed: [Row] = []
        /// New rows that were merged into existing ones.
        package var merges: [CommitResult.Merge] = []
    }

    package var stores: [InStore] = []
    /// Who made the changes, in the caller's own terms.
    package let sourceIdentifier: SourceIdentifier

    package var isEmpty: Bool { stores.isEmpty }
}

/// What the caller of a transaction named as the source of its changes.
// Sendable: handed from the caller to observers and never looked into.
package struct SourceIdentifier: @unchecked Sendable {
    package let value: Any?
}

/// Turning pending changes into change sets.
extension ObjectGraph {
    /// The changes of one store, and the objects they are of.
    struct StoreChanges {
        let store: OpenStore
        var set = ChangeSet()
        var updated: [CoreStoreObject] = []
        var deleted: [CoreStoreObject] = []
        var relationships: Set<Int> = []
    }

    /// Everything pending, checked and grouped by store.
    func makeChanges() throws(StorageError) -> [StoreChanges] {
        if let failure { throw failure }
        try checkDenials()
        if layout.hasCountedRelationships { try checkCounts() }
        var changes: [ObjectIdentifier: StoreChanges] = [:]
        var order: [ObjectIdentifier] = []
        func with(
            _ object: CoreStoreObject, _ body: (inout StoreChanges) throws(StorageError) -> Void
        ) throws(StorageError) {
            guard let store = store(of: object) else {
                throw StorageError(.closed, "The store of \(object.id) was removed from the data stack.")
            }
            let identifier = ObjectIdentifier(store)
            if changes[identifier] == nil {
                changes[identifier] = StoreChanges(store: store)
                order.append(identifier)
            }
            if changes[identifier] != nil { try body(&changes[identifier, default: StoreChanges(store: store)]) }
        }
        let single = stores.count == 1 ? stores.first : nil
        if let single {
            var only = StoreChanges(store: single)
            try collect(into: &only)
            changes[ObjectIdentifier(single)] = only
            order = [ObjectIdentifier(single)]
        } else {
            for object in pending.inserted where !object.isDeleted {
                try with(object) { changes throws(StorageError) in try add(inserted: object, to: &changes) }
            }
            for object in pending.updated where !object.isDeleted {
                try with(object) { changes throws(StorageError) in try add(updated: object, to: &changes) }
            }
            for object in pending.deleted {
                try with(object) { changes throws(StorageError) in add(deleted: object, to: &changes) }
            }
        }
        try addLinks(to: &changes, &order)
        return order.compactMap { changes[$0] }.filter { !$0.set.isEmpty }
    }

    private func collect(into changes: inout StoreChanges) throws(StorageError) {
        changes.set.inserts.reserveCapacity(pending.inserted.count)
        changes.set.updates.reserveCapacity(pending.updated.count)
        for object in pending.inserted where !object.isDeleted { try add(inserted: object, to: &changes) }
        for object in pending.updated where !object.isDeleted { try add(updated: object, to: &changes) }
        for object in pending.deleted { add(deleted: object, to: &changes) }
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
        changes.set.updates.append(.init(row: row, columns: columns))
        changes.updated.append(object)
    }

    private func add(deleted object: CoreStoreObject, to changes: inout StoreChanges) {
        changes.set.deletes.append(.init(entity: object.row.entity, key: object.id.key))
        changes.deleted.append(object)
    }

    /// Refuses what no store can keep.
    private func validate(_ row: Row, _ columns: ColumnSet?) throws(StorageError) {
        let entity = layout.entities[row.entity]
        let required = columns?.intersection(entity.requiredSlots) ?? entity.requiredSlots
        if let slot = required.firstNull(in: row) {
            throw StorageError(
                .invalidValue,
                "'\(entity.name).\(entity.columns[slot].name)' has no value, but is not optional. Set one, or use an optional "
                    + "field."
            )
        }
        for slot in entity.doubleSlots where columns?.contains(slot) ?? true {
            guard !row.isNull(slot), row.double(slot).isNaN else { continue }
            throw StorageError(
                .invalidValue,
                "'\(entity.name).\(entity.columns[slot].name)' is not a number (NaN), which cannot be saved. "
                    + "Use an optional field."
            )
        }
    }

    private func checkDenials() throws(StorageError) {
        for denial in pending.denials {
            let relationship = layout.relationships[denial.relationship]
            guard let remaining = denial.related.first(where: { leads(relationship, denial.object, to: $0) }) else {
                continue
            }
            throw StorageError(
                .invalidValue,
                "\(denial.object.id) cannot be deleted while '\(relationship.name)' leads to \(remaining.id) "
                    + "(its delete rule is deny). Delete or unrelate that first."
            )
        }
    }

    /// Whether a relationship of a deleted object still leads to another.
    private func leads(_ relationship: RelationshipLayout, _ object: CoreStoreObject, to other: CoreStoreObject) -> Bool
    {
        guard !other.isDeleted else { return false }
        guard case .reference(let slot, _) = layout.relationships[relationship.inverse].storage else { return true }
        return !other.row.isNull(slot) && other.row.integer(slot) == object.id.key
    }

    private func checkCounts() throws(StorageError) {
        for object in pending.inserted where !object.isDeleted {
            for index in layout.entities[object.row.entity].countedRelationships {
                try checkCount(layout.relationships[index], of: object)
            }
        }
        for side in pending.counted.sorted(by: { ($0.relationship, $0.owner.key) < ($1.relationship, $1.owner.key) }) {
            guard let object = try object(side.owner), !object.state.contains(.isInserted) else { continue }
            try checkCount(layout.relationships[side.relationship], of: object)
        }
    }

    private func checkCount(_ relationship: RelationshipLayout, of object: CoreStoreObject) throws(StorageError) {
        let count = try toMany(relationship, of: object).count
        guard count < relationship.minCount || (relationship.maxCount > 0 && count > relationship.maxCount) else {
            return
        }
        let limits =
            relationship.maxCount > 0
            ? "\(relationship.minCount)…\(relationship.maxCount)" : "at least \(relationship.minCount)"
        throw StorageError(
            .invalidValue,
            "'\(layout.entities[object.row.entity].name).\(relationship.name)' of \(object.id) leads to \(count) objects, "
                + "but \(limits) are required."
        )
    }

    private func addLinks(
        to changes: inout [ObjectIdentifier: StoreChanges], _ order: inout [ObjectIdentifier]
    ) throws(StorageError) {
        for (links, isAdded) in [(pending.addedLinks, true), (pending.removedLinks, false)] {
            for link in links.sorted(by: { ($0.first.key, $0.second.key) < ($1.first.key, $1.second.key) }) {
                guard let store = space(link.first.storage)?.store else { continue }
                let table = layout.linkTables[link.table]
                let entry = ChangeSet.Link(table: link.table, first: link.first.key, second: link.second.key)
                change(store, &changes, &order) { changes in
                    changes.relationships.formUnion([table.first, table.second])
                    if isAdded { changes.set.links.append(entry) } else { changes.set.unlinks.append(entry) }
                }
            }
        }
        for (side, owner) in pending.reordered where !owner.isDeleted {
            let relationship = layout.relationships[side.relationship]
            guard case .links(let table, let isFirst) = relationship.storage, let store = store(of: owner) else {
                continue
            }
            let members = try relatedKeys(relationship, of: owner)
            change(store, &changes, &order) { changes in
                changes.relationships.insert(relationship.index)
                for (index, member) in members.enumerated() {
                    changes.set.links.append(
                        isFirst
                            ? .init(table: table, first: owner.id.key, second: member, firstPosition: Int64(index))
                            : .init(table: table, first: member, second: owner.id.key, secondPosition: Int64(index))
                    )
                }
            }
        }
    }

    private func change(
        _ store: OpenStore, _ changes: inout [ObjectIdentifier: StoreChanges], _ order: inout [ObjectIdentifier],
        _ body: (inout StoreChanges) -> Void
    ) {
        let identifier = ObjectIdentifier(store)
        if changes[identifier] == nil { order.append(identifier) }
        body(&changes[identifier, default: StoreChanges(store: store)])
    }

    // MARK: After the commit

    /// The record of changes that were committed.
    ///
    /// Changed rows get the version that the store gave them.
    func record(_ changes: StoreChanges, _ result: CommitResult) -> CommitRecord.InStore {
        for object in changes.updated { if let base = object.base { object.row.write(version: base.version + 1) } }
        var record = CommitRecord.InStore(store: changes.store)
        record.merges = result.merges
        record.relationships = changes.relationships
        record.deleted = changes.deleted.map(\.row)
        guard !result.refreshed.isEmpty || !result.merges.isEmpty else {
            record.inserts = changes.set.inserts
            record.updated = changes.updated.map { ($0.base, $0.row) }
            return record
        }
        changes.store.record(result.merges)
        record.refreshed = result.refreshed
        let merged = Set(result.merges.map { ObjectIdentity(root: $0.root, key: $0.from) })
        let refreshed = Dictionary(
            result.refreshed.map { (ObjectIdentity(root: layout.entities[$0.entity].root, key: $0.key), $0) },
            uniquingKeysWith: { _, last in last }
        )
        var seen: Set<ObjectIdentity> = []
        for insert in changes.set.inserts {
            let identity = ObjectIdentity(root: layout.entities[insert.row.entity].root, key: insert.row.key)
            guard !merged.contains(identity) else { continue }
            seen.insert(identity)
            record.inserts.append(.init(row: refreshed[identity] ?? insert.row))
        }
        for object in changes.updated {
            let identity = ObjectIdentity(root: layout.entities[object.row.entity].root, key: object.id.key)
            seen.insert(identity)
            record.updated.append((object.base, refreshed[identity] ?? object.row))
        }
        for (identity, row) in refreshed where !seen.contains(identity) { record.updated.append((nil, row)) }
        return record
    }

    /// Makes what was pending the graph's committed state.
    ///
    /// - Parameter stores: the only stores that were saved; nil for all.
    func didCommit(_ records: [CommitRecord.InStore], in stores: [OpenStore]? = nil) {
        let saved: PendingChanges
        if let stores {
            saved = pending.removing { id in stores.contains { $0.keySpaces.contains(id.storage) } }
        } else {
            saved = pending
            pending = PendingChanges()
        }
        // A transaction that ends with its commit changes nothing more, and its objects need not know what they are.
        if keepsReaders, stores == nil {
            saved.seal()
            return finishCommit(records)
        }
        for object in saved.inserted where !object.isDeleted { object.state.markSaved() }
        for object in saved.updated where !object.isDeleted {
            object.base = nil
            object.changed = ColumnSet()
            object.state.markSaved()
        }
        for object in saved.deleted { table(object.id.storage)?.remove(object.id.key) }
        for object in saved.inserted where object.isDeleted { table(object.id.storage)?.remove(object.id.key) }
        undo?.forget()
        undo?.hasUnrecordedChanges = !pending.isEmpty
        finishCommit(records)
    }

    private func finishCommit(_ records: [CommitRecord.InStore]) {
        for record in records { takeOver(record) }
        releaseReaders()
    }

    /// Gives the graph's own objects what the store made of their rows.
    private func takeOver(_ record: CommitRecord.InStore) {
        for row in record.refreshed {
            guard let object = table(record.store.keySpaces[row.entity])?.object(row.key) else { continue }
            if object.state.isDisjoint(with: .isUpdated) { object.row = row }
        }
        guard !record.merges.isEmpty else { return }
        for merge in record.merges {
            // The object it was merged into is another one, found by the same id from now on.
            guard let table = table(record.store.keySpaces[merge.root]), let object = table.object(merge.from) else {
                continue
            }
            object.state.insert(.isDeleted)
            table.remove(merge.from)
        }
        forgetRelatedKeys()
    }
}

/// A row's identity within a store.
private struct ObjectIdentity: Hashable {
    let root: Int
    let key: Int64
}
