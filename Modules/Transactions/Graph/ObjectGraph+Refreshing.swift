import CofferSchema
package import CofferStorage

/// Keeping what relationships lead to in step with what others have saved.
extension ObjectGraph {
    /// Lets a transaction that reads what is stored at the time look at its relationships anew, after others have saved.
    ///
    /// Called before a fetch, for its conditions, and after it, because fetched objects may belong to relationships that were
    /// read earlier.
    /// The known members of these are read again too, so that both sides of a relationship agree.
    package func forgetStaleRelations(in stores: [OpenStore]) throws(StorageError) {
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

    /// Gives known objects without pending changes the rows that were just read, here and in parent transactions.
    ///
    /// Relationships are read again where they may differ, as after any fetch.
    package func refresh(with rows: [Row], _ store: OpenStore) throws(StorageError) {
        guard let first = rows.first, let table = table(store.keySpaces[first.entity]) else { return }
        if let parent = (backing as? ParentBacking)?.parent {
            // The rows of changed objects are this transaction's own.
            let stored = rows.filter { row in table.object(row.key).map { !isPending($0) } ?? true }
            try parent.refresh(with: stored, store)
        }
        var refreshed: [(object: CoreStoreObject, row: Row?)] = []
        for row in rows {
            guard let object = table.object(row.key), !isPending(object), mayReplace(object.held.version, row.version)
            else { continue }
            refresh(object, row)
            refreshed.append((object, row))
        }
        rebaseHistory(on: refreshed)
        noteUnknownMembers(rows, store)
        try forgetStaleRelations(in: [store])
    }

    /// Whether a row that was just read replaces the known one.
    ///
    /// A copy of a store may have older rows than the view of a stack shows.
    private func mayReplace(_ known: Int64, _ read: Int64) -> Bool {
        isEditable ? known != read || readsPendingRows : known < read
    }

    /// Reads known objects without pending changes again, here and in parent transactions.
    ///
    /// Those that the store no longer contains are deleted.
    package func refreshUnchanged(_ ids: [ObjectID]) throws(StorageError) {
        try (backing as? ParentBacking)?.parent.refreshUnchanged(ids)
        for (number, members) in Dictionary(grouping: ids, by: \.storage) {
            guard let (table, store) = space(number), let root = store.root(of: ObjectID(storage: number, key: 0))
            else { continue }
            let keys = members.map(\.key).filter { key in table.object(key).map { !isPending($0) } ?? false }.sorted()
            if !keys.isEmpty {
                let rows = try read(store, "fetch") { reader throws(StorageError) in
                    try reader.rows(root: root, keys: keys)
                }
                try refresh(with: rows, store)
                removeDeleted(Set(keys).subtracting(rows.map(\.key)).compactMap(table.object), table)
            }
            // Relationships of objects with pending changes can differ too.
            try forgetStaleRelations(in: [store])
        }
    }

    /// Marks objects as deleted that their store no longer contains.
    private func removeDeleted(_ objects: [CoreStoreObject], _ table: IdentityTable) {
        guard !objects.isEmpty else { return }
        for object in objects {
            object.state.insert(.isDeleted)
            // A parent transaction may restore it.
            if !readsPendingRows { table.remove(object.id.key) }
        }
        rebaseHistory(on: objects.map { ($0, nil) })
        // The view of a stack forgets these members when it does not find them.
        if isEditable { hasStaleRelations = true }
    }

    typealias LoadedRelation = (owner: CoreStoreObject, relationship: Int, keys: [Int64])

    /// The loaded to-many relationships.
    func loadedRelations() -> [LoadedRelation] {
        var loaded: [LoadedRelation] = []
        forEachLoadedOwner { owner, attachment in
            for (index, keys) in attachment.relatedKeys { loaded.append((owner, index, keys)) }
        }
        return loaded
    }

    /// The relationships with other related objects than before, which are read again.
    ///
    /// If that fails, all count as changed.
    func changes(since loaded: [LoadedRelation]) -> TouchedRelations {
        var changed = TouchedRelations()
        var hasFailed = false
        let relations = Dictionary(grouping: loaded, by: \.relationship)
        // The last batch of an object is the largest one.
        for (index, loaded) in relations.sorted(by: { $0.value.count < $1.value.count }) {
            let relationship = layout.relationships[index]
            batch(loaded.map(\.owner))
            for (owner, _, keys) in loaded where !owner.isDeleted {
                do throws(StorageError) {
                    let now = hasFailed ? [] : try relatedKeys(relationship, of: owner)
                    let isSame = now == keys || (!relationship.isOrdered && Set(now) == Set(keys))
                    if hasFailed || !isSame { changed.insert(index, of: owner.id) }
                } catch {
                    hasFailed = true
                    changed.insert(index, of: owner.id)
                    Diagnostics.log(
                        CoreStoreError(storage: error),
                        "Relationships could not be read again. Observers are notified of all that were loaded.")
                }
            }
        }
        return changed
    }

    /// Loads the relationships whose order is pending.
    func loadPendingOrders() throws(StorageError) {
        let unloaded = pending.reordered.filter { side, owner in
            !owner.isDeleted && owner.attachment?.relatedKeys[side.relationship] == nil
        }
        for (index, sides) in Dictionary(grouping: unloaded, by: \.key.relationship) {
            batch(sides.map(\.value))
            for (_, owner) in sides { _ = try relatedKeys(layout.relationships[index], of: owner) }
        }
    }

    /// Makes objects one batch, so that a relationship that all of them had loaded is read at once.
    private func batch(_ objects: [CoreStoreObject]) {
        for members in Dictionary(grouping: objects, by: \.id.storage).values {
            let number = members.count > 1 ? batches.nextNumber() : 0
            for member in members { member.batch = number }
            batches.add(Array(Set(members.map(\.id.key))), number) { use in forEachObject { use($0.batch) } }
        }
    }

    /// The relationships that reference one of some objects, by their owners.
    ///
    /// For a deleted object, the stored relationships count.
    ///
    /// - Parameter earlier: the pending relationships at the last look. An object that was related to a deleted object only
    ///   after that look is left out.
    func relationships(
        to objects: [CoreStoreObject], since earlier: PendingRelations
    ) throws(StorageError) -> TouchedRelations {
        var others = TouchedRelations()
        for (number, owners) in Dictionary(grouping: objects, by: \.id.storage) {
            guard let store = space(number)?.store else { continue }
            var unread: [Int: [Int64]] = [:]
            var partnered: [Int: [Int64]] = [:]
            func note(_ keys: [Int64], _ relationship: RelationshipLayout) {
                let space = store.keySpaces[relationship.destination]
                for key in keys { others.insert(relationship.inverse, of: ObjectID(storage: space, key: key)) }
            }
            for owner in owners {
                for index in layout.entities[owner.row.entity].relationships {
                    let relationship = layout.relationships[index]
                    if case .reference(let slot, _) = relationship.storage {
                        let row = owner.isDeleted ? owner.base ?? owner.row : owner.row
                        if !row.isNull(slot) { note([row.integer(slot)], relationship) }
                        // The other side of a one-to-one relationship has a reference of its own.
                        if !layout.relationships[relationship.inverse].isToMany, !owner.state.contains(.isInserted) {
                            partnered[index, default: []].append(owner.id.key)
                        }
                    } else if let keys = owner.attachment?.relatedKeys[index] {
                        note(withoutPassing(keys, relationship, owner, store, earlier), relationship)
                    } else {
                        let added = pending.deltas[.init(relationship: index, owner: owner.id)]?.added ?? []
                        note(withoutPassing(added, relationship, owner, store, earlier), relationship)
                        if !owner.state.contains(.isInserted) { unread[index, default: []].append(owner.id.key) }
                    }
                }
            }
            for (index, keys) in unread {
                let members = try read(store, "fetch") { reader throws(StorageError) in
                    try reader.members(index, of: keys.sorted())
                }
                for related in members { note(related.members.map(\.key), layout.relationships[index]) }
            }
            for (index, keys) in partnered {
                for (_, rows) in try storedMembers(layout.relationships[index], of: keys.sorted(), store) {
                    note(rows.map(\.key), layout.relationships[index])
                }
            }
        }
        return others
    }

    /// Leaves out the members of a deleted object that referred to it neither at the last look nor in the store.
    private func withoutPassing(
        _ keys: [Int64], _ relationship: RelationshipLayout, _ owner: CoreStoreObject, _ store: OpenStore,
        _ earlier: PendingRelations
    ) -> [Int64] {
        guard owner.isDeleted, case .inverse(let slot, _) = relationship.storage,
            let members = table(store.keySpaces[relationship.destination])
        else { return keys }
        return keys.filter { key in
            guard let member = members.object(key), !member.state.isDisjoint(with: [.isInserted, .isUpdated]) else {
                return true
            }
            if let base = member.base, !base.isNull(slot), base.integer(slot) == owner.id.key { return true }
            return earlier.relates(member.id, to: owner.id, relationship.index)
        }
    }

    /// Notes fetched objects that refer to an owner whose known members they are not among: another stack or process has
    /// related them.
    func noteUnknownMembers(_ objects: [CoreStoreObject]) {
        guard isEditable, !keepsReaders, hasLoadedOwners, !hasStaleRelations else { return }
        for (storage, members) in Dictionary(grouping: objects, by: \.id.storage) {
            guard let store = space(storage)?.store else { continue }
            noteUnknownMembers(members.map(\.row), store)
        }
    }

    private func noteUnknownMembers(_ rows: [Row], _ store: OpenStore) {
        guard isEditable, !keepsReaders, hasLoadedOwners, !hasStaleRelations else { return }
        var known: [PendingChanges.Side: Set<Int64>] = [:]
        for row in rows {
            for reference in layout.entities[row.entity].references where !row.isNull(reference.slot) {
                let space = store.keySpaces[layout.relationships[reference.inverse].owner]
                let owner = ObjectID(storage: space, key: row.integer(reference.slot))
                guard let keys = table(space)?.object(owner.key)?.attachment?.relatedKeys[reference.inverse] else {
                    continue
                }
                let side = PendingChanges.Side(relationship: reference.inverse, owner: owner)
                let members = known[side] ?? Set(keys)
                known[side] = members
                guard members.contains(row.key) else { return hasStaleRelations = true }
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
        guard !refreshed.isEmpty, let undo, !undo.isEmpty else { return }
        let rows = Dictionary(
            refreshed.map { (ObjectIdentifier($0.object), $0.row) }, uniquingKeysWith: { first, _ in first })
        var dropped: Set<ObjectID> = []
        func rebased(
            _ entry: UndoHistory.Moment.Entry, _ nullified: Set<PendingChanges.Field>
        ) -> UndoHistory.Moment.Entry {
            guard !entry.state.contains(.isInserted), let row = rows[ObjectIdentifier(entry.object)] else {
                return entry
            }
            guard let row else {
                // A change that is pending now is logged by the refresh.
                let isPending = entry.object.state.contains(.isUpdated)
                if !isPending, entry.state.contains(.isUpdated), !entry.state.contains(.isDeleted) {
                    dropped.insert(entry.object.id)
                }
                return .init(
                    object: entry.object, row: entry.row, base: entry.base, changed: entry.changed,
                    state: entry.state.union(.isDeleted))
            }
            let changed =
                entry.base.map { base in
                    let saved = savedColumns(entry.changed, of: entry.row, base)
                    return stillValid(saved, of: entry.object, base, row, nullified)
                } ?? entry.changed
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
        for id in dropped.sorted(by: { $0.key < $1.key }) {
            Diagnostics.log(
                .warning, "\(id) was deleted elsewhere. Undoing and redoing leave out what was changed of it here.")
        }
    }
}

extension ObjectGraph {
    /// Whether an object has pending changes or was deleted for good.
    private func isPending(_ object: CoreStoreObject) -> Bool {
        if object.isDeleted { return !mayReturn(object) }
        return !object.state.isDisjoint(with: [.isInserted, .isUpdated])
    }

    /// Whether a deleted object was deleted in a parent transaction, which may restore it.
    func mayReturn(_ object: CoreStoreObject) -> Bool {
        readsPendingRows && object.isDeleted && object.state.isDisjoint(with: [.isInserted, .isUpdated])
            && !pending.isDeleted(object)
    }

    /// Looks up objects again that parent transactions may have restored.
    func restoreReturned(_ objects: some Sequence<CoreStoreObject>) throws(StorageError) {
        let ids = objects.lazy.filter(mayReturn).map(\.id)
        if readsPendingRows { _ = try self.objects(Array(ids)) }
    }
}
