import CofferSchema
import CofferStorage

/// Keeping what relationships lead to in step with what others have saved.
extension ObjectGraph {
    /// Lets a transaction that reads what is stored at the time look at its relationships anew, after others have saved.
    ///
    /// Called after a fetch, whose objects may show what relationships that were looked at before do not. The known
    /// members of these are read again too, so that both sides of a relationship agree.
    func forgetStaleRelations(in stores: [OpenStore]) throws(StorageError) {
        guard isEditable, !keepsReaders else { return }
        var isStale = hasStaleRelations
        for store in stores {
            let (number, count) = (ObjectIdentifier(store), store.commitCount)
            if (relatedCommits[number] ?? seenCommits[number] ?? count) != count { isStale = true }
            relatedCommits[number] = count
        }
        guard isStale, hasLoadedOwners else { return }
        let members = loadedMembers()
        forgetRelatedKeys()
        hasStaleRelations = false
        for (number, keys) in members {
            guard let (table, store) = space(number), let root = store.root(of: ObjectID(storage: number, key: 0))
            else {
                continue
            }
            let wanted = keys.sorted()
            let rows = try read(store, "fetch") { reader throws(StorageError) in
                try reader.rows(root: root, keys: wanted)
            }
            for row in rows {
                guard let object = table.object(row.key), object.held.version != row.version else { continue }
                refreshMember(object, row)
            }
        }
    }

    /// Reads the relationships of the parent transactions again at the next look.
    func refreshParentRelations() throws(StorageError) {
        guard let parent = (backing as? ParentBacking)?.parent else { return }
        try parent.refreshParentRelations()
        parent.hasStaleRelations = true
        try parent.forgetStaleRelations(in: parent.stores)
    }

    /// Marks the relationships of child transactions as stale, so that their next fetch reads them again.
    func noteStaleChildren() {
        for child in children {
            child.graph?.hasStaleRelations = true
            child.graph?.noteStaleChildren()
        }
    }

    /// The known objects that relationships were found to lead to, and whose rows say so.
    private func loadedMembers() -> [UInt32: Set<Int64>] {
        var members: [UInt32: Set<Int64>] = [:]
        forEachLoadedOwner { owner, attachment in
            guard let store = store(of: owner) else { return }
            for (index, keys) in attachment.relatedKeys {
                guard case .inverse = layout.relationships[index].storage else { continue }
                let number = store.keySpaces[layout.relationships[index].destination]
                guard let table = table(number) else { continue }
                for key in keys where table.object(key) != nil { members[number, default: []].insert(key) }
            }
        }
        return members
    }

    private func refreshMember(_ object: CoreStoreObject, _ row: Row) {
        guard object.state.contains(.isUpdated) else { return refresh(object, row) }
        // Where that is a conflict, the store must be told what the change was based on.
        guard !throwsOnConflict, readLog == nil, !object.isDeleted else { return }
        merge(row, into: object)
    }

    /// Notes fetched objects that refer to an owner whose known members they are not among: another stack or process has
    /// related them.
    func noteUnknownMembers(_ objects: [CoreStoreObject]) {
        guard isEditable, !keepsReaders, hasLoadedOwners, !hasStaleRelations else { return }
        var known: [PendingChanges.Side: Set<Int64>] = [:]
        for object in objects {
            guard let store = store(of: object) else { continue }
            for reference in layout.entities[object.row.entity].references where !object.row.isNull(reference.slot) {
                let space = store.keySpaces[layout.relationships[reference.inverse].owner]
                let owner = ObjectID(storage: space, key: object.row.integer(reference.slot))
                guard let keys = table(space)?.object(owner.key)?.attachment?.relatedKeys[reference.inverse] else {
                    continue
                }
                let side = PendingChanges.Side(relationship: reference.inverse, owner: owner)
                let members = known[side] ?? Set(keys)
                known[side] = members
                guard members.contains(object.id.key) else { return hasStaleRelations = true }
            }
        }
    }

    /// Notes that an object was given a row with other references, by which members of relationships came and went.
    func noteRelations(_ old: Row, _ new: Row) {
        guard isEditable, hasLoadedOwners, !hasStaleRelations else { return }
        hasStaleRelations = layout.entities[new.entity].references.contains { reference in
            !old.hasSameValue(reference.slot, .reference, as: new)
                || reference.positionSlot.map { !old.hasSameValue($0, .integer, as: new) } ?? false
        }
    }

    /// Puts the states that the transaction can go back to on rows that were read again.
    func rebaseHistory(on refreshed: [(object: CoreStoreObject, row: Row?)]) {
        guard let undo, !undo.past.isEmpty || !undo.future.isEmpty else { return }
        let rows = Dictionary(
            refreshed.map { (ObjectIdentifier($0.object), $0.row) }, uniquingKeysWith: { first, _ in first })
        func rebased(
            _ entry: UndoHistory.Moment.Entry, _ nullified: Set<PendingChanges.Field>
        ) -> UndoHistory.Moment.Entry {
            guard !entry.state.contains(.isInserted), let row = rows[ObjectIdentifier(entry.object)] else {
                return entry
            }
            guard let row else {
                return .init(
                    object: entry.object, row: entry.row, base: entry.base, changed: entry.changed,
                    state: entry.state.union(.isDeleted))
            }
            let changed =
                entry.base.map { stillValid(entry.changed, of: entry.object, $0, row, nullified) } ?? entry.changed
            return .init(
                object: entry.object, row: changed.isEmpty ? row : laid(entry.row, changed, over: row),
                base: entry.base == nil ? nil : row, changed: changed, state: entry.state)
        }
        func rebase(_ moment: inout UndoHistory.Moment) {
            let nullified = moment.pending.nullified
            moment.entries = moment.entries.map { rebased($0, nullified) }
        }
        for index in undo.past.indices { rebase(&undo.past[index]) }
        for index in undo.future.indices { rebase(&undo.future[index]) }
    }
}
