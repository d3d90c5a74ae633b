import CofferSchema
import CofferStorage

/// What other transactions saved since this graph began to read, as far as it concerns what is pending: rows that were
/// deleted may still be led to, and rows that are to be deleted may have been related anew.
extension ObjectGraph {
    /// Whether someone else has saved something in a store since the graph first read from it.
    func isOvertaken(_ store: OpenStore) -> Bool {
        seenCommits[ObjectIdentifier(store)].map { $0 != store.commitCount } ?? false
    }

    /// Counts a commit of the graph's own.
    func noteCommit(_ store: OpenStore) {
        let before = store.noteCommit()
        if relatedCommits[ObjectIdentifier(store)] == before { relatedCommits[ObjectIdentifier(store)] = before + 1 }
        // A graph that has never read knows what it has just saved, and that others may change from now on.
        if seenCommits[ObjectIdentifier(store)] ?? before == before {
            seenCommits[ObjectIdentifier(store)] = before + 1
        }
    }

    /// Does what the delete rules say with what the stores hold now.
    ///
    /// Called while nobody else can commit.
    func reconcile() throws(StorageError) {
        let overtaken = stores.filter(isOvertaken)
        guard !overtaken.isEmpty else { return }
        releaseReaders()
        for store in overtaken { try followRules(store) }
    }

    private func followRules(_ store: OpenStore) throws(StorageError) {
        var owners: [Int: [Int64: CoreStoreObject]] = [:]
        for object in pending.deleted where self.store(of: object) === store {
            for index in layout.entities[object.row.entity].relationships {
                guard case .inverse = layout.relationships[index].storage else { continue }
                owners[index, default: [:]][object.id.key] = object
            }
        }
        for (index, owners) in owners.sorted(by: { $0.key < $1.key }) {
            let found = try read(store, "save") { reader throws(StorageError) in
                try reader.related(index, of: owners.keys.sorted())
            }
            for related in found {
                guard let owner = owners[related.owner] else { continue }
                // One that is also changed here still has the reference it was read with.
                for row in related.rows {
                    guard let known = table(store.keySpaces[row.entity])?.object(row.key) else { continue }
                    // Where that is a conflict, the store must be told what the change was based on.
                    guard !throwsOnConflict, readLog == nil else { continue }
                    if known.state.contains(.isUpdated), !known.isDeleted { merge(row, into: known) }
                }
                try follow(
                    layout.relationships[index], of: owner,
                    toNew: objects(related.rows, layout.relationships[index].destination, store))
            }
        }
    }

    private func follow(
        _ relationship: RelationshipLayout, of owner: CoreStoreObject, toNew members: [CoreStoreObject]
    ) throws(StorageError) {
        guard case .inverse(let slot, let positionSlot) = relationship.storage else { return }
        let members = members.filter {
            !$0.isDeleted && !$0.row.isNull(slot) && $0.row.integer(slot) == owner.id.key
        }
        guard !members.isEmpty else { return }
        if relationship.deleteRule == .deny {
            return pending.denials.append(.init(object: owner, relationship: relationship.index, related: members))
        }
        // Read before anything is written: a commit that fails for it can be repeated.
        let related = relationship.deleteRule == .cascade ? try loadForDeleting(members) : []
        for member in members {
            write(nil, slot, of: member)
            if let positionSlot { write(nil, positionSlot, of: member) }
        }
        if relationship.deleteRule == .cascade { try delete(members) }
        withExtendedLifetime(related) {}
    }

    /// Checks that what the changes lead to is still there, and leaves out the links for which it is not.
    ///
    /// - Throws: `conflict` when a to-one relationship leads to a row that someone else deleted.
    func checkTargets(of changes: inout StoreChanges) throws(StorageError) {
        let store = changes.store
        var references: [(object: CoreStoreObject, relationship: RelationshipLayout, target: ObjectID)] = []
        let inserted = pending.inserted.filter { !$0.isDeleted && self.store(of: $0) === store }
        for object in inserted + changes.updated {
            for index in layout.entities[object.row.entity].relationships {
                guard case .reference(let slot, _) = layout.relationships[index].storage, !object.row.isNull(slot),
                    object.state.contains(.isInserted) || object.changed.contains(slot)
                else { continue }
                let space = store.keySpaces[layout.relationships[index].destination]
                let target = ObjectID(storage: space, key: object.row.integer(slot))
                references.append((object, layout.relationships[index], target))
            }
        }
        var targets = Set(references.map(\.target))
        for link in changes.set.links { targets.formUnion(ends(of: link, store)) }
        let missing = try missing(targets, store)
        guard !missing.isEmpty else { return }
        changes.set.links.removeAll { !missing.isDisjoint(with: ends(of: $0, store)) }
        guard let broken = references.first(where: { missing.contains($0.target) }) else { return }
        throw StorageError(
            .conflict,
            "'\(broken.relationship.name)' of \(broken.object.id) leads to \(broken.target), which was deleted "
                + "meanwhile. Relate it anew and repeat.", operation: "save", store: store.storage.storeDescription
        )
    }

    private func ends(of link: ChangeSet.Link, _ store: OpenStore) -> [ObjectID] {
        let table = layout.linkTables[link.table]
        return [(table.first, link.first), (table.second, link.second)].map { relationship, key in
            ObjectID(storage: store.keySpaces[layout.relationships[relationship].owner], key: key)
        }
    }

    /// Those of the ids that stand for no row, and for none that is about to be inserted.
    private func missing(_ ids: Set<ObjectID>, _ store: OpenStore) throws(StorageError) -> Set<ObjectID> {
        var missing = ids.filter { table($0.storage)?.object($0.key)?.state.contains(.isInserted) != true }
        for (space, members) in Dictionary(grouping: missing, by: \.storage) {
            guard let root = store.root(of: ObjectID(storage: space, key: 0)) else { continue }
            let keys = members.map(\.key).sorted()
            let rows = try read(store, "save") { reader throws(StorageError) in try reader.rows(root: root, keys: keys)
            }
            missing.subtract(rows.map { ObjectID(storage: space, key: $0.key) })
        }
        return missing
    }
}
