import CofferSchema
import CofferStorage

/// Replaces new objects by the objects of the surviving rows; reports a property that was changed in both objects.
struct Rebinder {
    let state: ContextState
    let rebinding: Rebinding

    /// Assigns saved objects to the surviving rows, in this transaction and in its child transactions.
    func rebind() {
        state.pendingIndex = PendingIndex()
        for (id, merge) in rebinding.merges.sorted(by: { $0.key.key < $1.key.key }) {
            guard let table = state.identities.table(id.storage), let object = table.object(id.key) else { continue }
            let target = target(of: object, merge.row, table)
            move(object, id, to: target, merge.row, isKept: merge.isKept, table)
            guard target === object else { continue }
            object.state.markSaved()
            object.row = merge.row
        }
        state.deltas.forgetRelatedKeys()
        tellChildren()
    }

    private func tellChildren() {
        for child in state.children.elements { Rebinder(state: child, rebinding: rebinding).follow() }
    }

    /// Returns the object of the surviving row.
    ///
    /// This is the known object of that row, if there is one. Otherwise, it is the merged object itself if the row
    /// has the class of this object, and a new object if the row has a subclass.
    private func target(of object: CoreStoreObject, _ row: Row, _ table: IdentityTable) -> CoreStoreObject {
        if let known = table.object(row.key) { return known }
        guard type(of: object) != state.binding.entities[row.entity].type else { return object }
        let made = state.factory.makeObject(row, ObjectID(storage: object.id.storage, key: row.key))
        table.insert(made, row.key)
        return made
    }

    /// Moves an object to the key of the surviving row, or forwards it to the object of that row.
    private func move(
        _ object: CoreStoreObject, _ id: ObjectID, to target: CoreStoreObject, _ row: Row, isKept: Bool,
        _ table: IdentityTable
    ) {
        table.remove(id.key)
        guard target === object else { return object.forward(to: target, keepsVirtualValues: !isKept) }
        table.insert(object, row.key)
        if isKept { object.attachment?.virtualValues = nil }
    }

    // MARK: Child transactions

    /// Rebinds the objects and pending changes of a child transaction.
    private func follow() {
        state.pendingIndex = PendingIndex()
        let orders = state.deltas.pendingOrders.map(rebound)
        state.identities.forEachObject { object in
            guard state.identities.store(of: object) === rebinding.store else { return }
            if let row = rebinding.redirected(object.row) { object.row = row }
            if let base = object.base, let row = rebinding.redirected(base) { object.base = row }
        }
        for row in rebinding.refreshed { takeOver(row) }
        var deleted: [CoreStoreObject] = []
        for (id, merge) in rebinding.merges.sorted(by: { $0.key.key < $1.key.key }) {
            guard let table = state.identities.table(id.storage), let object = table.object(id.key) else { continue }
            follow(object, id, merge.row, isKept: merge.isKept, table, &deleted)
        }
        state.pending = rebound(state.pending)
        if let undo = state.undo { undo.states = undo.states.map(rebound) }
        state.deltas.forgetRelatedKeys(except: orders)
        do throws(StorageError) { try state.deleter.delete(deleted) } catch { state.failures.keep(error) }
        tellChildren()
    }

    private func follow(
        _ object: CoreStoreObject, _ id: ObjectID, _ row: Row, isKept: Bool, _ table: IdentityTable,
        _ deleted: inout [CoreStoreObject]
    ) {
        let (edited, changed, wasDeleted) = (object.row, object.changed, object.isDeleted)
        let target = target(of: object, row, table)
        move(object, id, to: target, row, isKept: isKept, table)
        if wasDeleted {
            // The object is deleted again under the delete rules, with the related objects of the surviving row.
            state.pending.deleted.removeAll { $0 === object }
            if target === object {
                object.state.remove(.isDeleted)
                object.forgetChanges(restoring: row)
                state.pending.updated.removeAll { $0 === object }
            }
            return deleted.append(target)
        }
        if target === object {
            object.row = changed.isEmpty ? row : state.merger.laid(edited, changed, over: row)
            guard !changed.isEmpty else { return }
            object.base = row
            object.state.insert(.isWritable)
            return
        }
        state.pending.updated.removeAll { $0 === object }
        if target.isDeleted { return changed.isEmpty ? () : fail(target, changed) }
        state.merger.merge(row, into: target)
        guard !changed.isEmpty else { return }
        let kinds = state.layout.entities[edited.entity].kinds
        let contested = changed.slots.filter {
            target.changed.contains($0) && !target.row.hasSameValue($0, kinds[$0], as: edited)
        }
        guard contested.isEmpty else { return fail(target, changed) }
        state.editor.beginChange(target)
        target.row = state.merger.laid(edited, changed, over: target.row)
        for slot in changed.slots { target.markChanged(slot) }
    }

    /// Replaces or merges the row of a known object with a row that the store refreshed.
    private func takeOver(_ row: Row) {
        guard let object = state.identities.object(of: row, in: rebinding.store),
            object.state.isDisjoint(with: [.isInserted, .isDeleted])
        else { return }
        if object.state.contains(.isUpdated) { return state.merger.merge(row, into: object) }
        state.editor.replaceRow(of: object, with: row)
    }

    /// Records a failure, so that the transaction cannot be saved without the changes of one of two objects.
    private func fail(_ object: CoreStoreObject, _ changed: ColumnSet) {
        let entity = state.layout.entities[object.row.entity]
        let names = changed.slots.map { "'\(entity.name).\(entity.columns[$0].name)'" }.joined(separator: ", ")
        let error = StorageError(
            .conflict,
            "\(names) of \(object.id) was changed in two objects, which were merged when the parent transaction was "
                + "saved. Roll back, and make the change again.")
        state.failures.keep(error, "The child transaction cannot be saved.", isPartial: true)
    }

    // MARK: Pending changes

    private func rebound(_ side: PendingChanges.Side) -> PendingChanges.Side {
        .init(relationship: side.relationship, owner: rebinding.id(side.owner))
    }

    private func rebound(_ pending: PendingOrder) -> PendingOrder {
        let destination = state.layout.relationships[pending.side.relationship].destination
        let isOfStore = state.identities.store(of: pending.owner) === rebinding.store
        func key(_ key: Int64) -> Int64 { isOfStore ? rebinding.key(key, entity: destination) : key }
        func keys(_ keys: [Int64]) -> [Int64] { keys.map(key).unique { $0 } }
        func order(_ order: PendingChanges.Order) -> PendingChanges.Order {
            // The surviving row of the owner has its own members, to which all pending members are added.
            let isOther = rebinding.merges[side.owner] != nil
            return .init(base: isOther ? [] : keys(order.base), current: MemberKeys(keys(order.current.keys)))
        }
        let side = pending.side
        let delta = pending.delta.map { delta in
            PendingChanges.Delta(
                added: MemberKeys(keys(delta.added.keys)), removed: Set(delta.removed.map(key)),
                order: delta.order.map(order))
        }
        return PendingOrder(
            side: rebound(side), owner: pending.owner, order: pending.order.map(order), delta: delta)
    }

    /// Returns the pending changes with the surviving objects in place of merged objects.
    ///
    /// Values that are derived from the changes are left out.
    private func rebound(_ changes: PendingChanges) -> PendingChanges {
        func link(_ link: PendingChanges.Link) -> PendingChanges.Link {
            .init(table: link.table, first: rebinding.id(link.first), second: rebinding.id(link.second))
        }
        func field(_ field: PendingChanges.Field) -> PendingChanges.Field {
            .init(owner: rebinding.id(field.owner), slot: field.slot)
        }
        func canonical(_ objects: [CoreStoreObject]) -> [CoreStoreObject] {
            objects.map(\.canonical).unique { ObjectIdentifier($0) }
        }
        var changes = changes
        changes.updated = canonical(changes.updated)
        changes.deleted = canonical(changes.deleted)
        changes.deltas = [:]
        changes.addedLinks = Set(changes.addedLinks.map(link))
        changes.removedLinks = Set(changes.removedLinks.map(link))
        changes.reordered = Dictionary(
            changes.reordered.map { (rebound($0.key), $0.value.canonical) }, uniquingKeysWith: { first, _ in first })
        // The surviving row has other members than the members that were read.
        changes.bases = [:]
        changes.assigned = Set(changes.assigned.map { rebound($0) })
        changes.expected = changes.expected.filter { rebinding.merges[$0.key.owner] == nil }
        changes.counted = Set(changes.counted.map { rebound($0) })
        changes.nullified = Set(changes.nullified.map(field))
        changes.cascades = Dictionary(
            changes.cascades.map { id, cascade in
                let owner = rebinding.id(cascade.owner)
                return (rebinding.id(id), .init(relationship: cascade.relationship, owner: owner))
            }, uniquingKeysWith: { known, _ in known })
        for index in changes.deniedDeletions.indices {
            changes.deniedDeletions[index].object = changes.deniedDeletions[index].object.canonical
            changes.deniedDeletions[index].related = canonical(changes.deniedDeletions[index].related)
        }
        changes.failures = Dictionary(
            changes.failures.map { key, failure in
                (field(key), .init(object: failure.object.canonical, error: failure.error))
            }, uniquingKeysWith: { first, _ in first })
        return changes
    }

    private func rebound(_ moment: Savepoint) -> Savepoint {
        var entries: [Savepoint.Entry] = []
        var places: [ObjectIdentifier: Int] = [:]
        for entry in moment.entries {
            let entry = rebound(entry)
            guard let place = places[ObjectIdentifier(entry.object)] else {
                places[ObjectIdentifier(entry.object)] = entries.count
                entries.append(entry)
                continue
            }
            // Two objects became one row; the entry combines their changes.
            let columns = ColumnSet(entry.changed.slots.filter { !entries[place].changed.contains($0) })
            entries[place].row = state.merger.laid(entry.row, columns, over: entries[place].row)
            entries[place].changed.formUnion(columns)
            entries[place].state.formUnion(entry.state)
        }
        return Savepoint(
            pending: rebound(moment.pending), entries: entries,
            orders: moment.orders.map { rebound($0) }, failure: moment.failure)
    }

    private func rebound(_ entry: Savepoint.Entry) -> Savepoint.Entry {
        let object = entry.object.canonical
        guard state.identities.store(of: object) === rebinding.store else { return entry }
        var rebound = entry
        rebound.object = object
        rebound.row = rebinding.row(entry.row)
        rebound.base = entry.base.map(rebinding.row)
        if let row = rebinding.merges[ObjectID(storage: object.id.storage, key: entry.row.key)]?.row {
            rebound.row = entry.changed.isEmpty ? row : state.merger.laid(rebound.row, entry.changed, over: row)
            rebound.base = entry.base == nil ? nil : row
        }
        return rebound
    }
}
