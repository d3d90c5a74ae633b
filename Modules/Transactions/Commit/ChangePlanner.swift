import CofferSchema
import CofferStorage
import CofferStorageTools

/// Creates a change set for each store: rows, links, conditions for conflicts, and unique-constraint policies.
struct ChangePlanner {
    let state: ContextState

    /// Validates all pending changes, and groups them by store.
    ///
    /// - Parameter placesMembers: whether the members of ordered relationships get their places. The parent of a
    ///   child transaction determines the places in its own commit.
    func makeChanges(placesMembers: Bool = true) throws(StorageError) -> [StoreChanges] {
        var changes = ChangesByStore()
        let only = state.stores.count == 1 ? state.stores.first : nil
        if let only {
            changes[only].set.inserts.reserveCapacity(state.pending.inserted.count)
            changes[only].set.updates.reserveCapacity(state.pending.updated.count)
        }
        for object in state.pending.inserted where !object.isDeleted {
            let (store, row) = (try openStore(of: object, only), object.row)
            try ChangeValidator(state: state).validate(row, nil)
            changes[store].set.inserts.append(.init(row: row))
        }
        for object in state.pending.updated where !object.isDeleted {
            try add(updated: object, to: &changes[openStore(of: object, only)])
        }
        for object in state.pending.deleted { add(deleted: object, to: &changes[try openStore(of: object, only)]) }
        if !state.pending.addedLinks.isEmpty || !state.pending.removedLinks.isEmpty || !state.pending.reordered.isEmpty
        {
            addLinks(
                placesMembers ? try PlacePlanner(state: state).newPlaces() : PlacePlanner.NewPlaces(), to: &changes)
        }
        return changes.all.filter { !$0.set.isEmpty }
    }

    /// - Parameter only: the only open store, so that no lookup is necessary; nil if there are several stores.
    private func openStore(of object: CoreStoreObject, _ only: OpenStore?) throws(StorageError) -> OpenStore {
        if let store = only ?? state.identities.store(of: object) { return store }
        throw StorageError(.closed, "The store of \(object.id) was removed from the data stack.")
    }

    private func add(updated object: CoreStoreObject, to changes: inout StoreChanges) throws(StorageError) {
        guard let base = object.base else { return }
        let row = object.row
        let columns = state.merger.savedColumns(of: object, base)
        guard !columns.isEmpty else { return }
        try ChangeValidator(state: state).validate(row, columns)
        try state.layout.checkVersion(base)
        changes.set.updates.append(.init(row: row, columns: columns))
        changes.updated.append(object)
    }

    private func add(deleted object: CoreStoreObject, to changes: inout StoreChanges) {
        changes.set.deletes.append(.init(entity: object.row.entity, key: object.id.key))
        changes.deleted.append(object)
    }

    private func addLinks(_ new: PlacePlanner.NewPlaces, to changes: inout ChangesByStore) {
        var places = new.places
        func place(_ relationship: Int, _ owner: ObjectID, _ member: ObjectID) -> Int64? {
            places[.init(relationship: relationship, owner: owner)]?.removeValue(forKey: member.key)
        }
        for (links, isAdded) in [(state.pending.addedLinks, true), (state.pending.removedLinks, false)] {
            for link in links.sorted(by: { ($0.first.key, $0.second.key) < ($1.first.key, $1.second.key) }) {
                guard let store = state.identities.store(of: link.first) else { continue }
                let table = state.layout.linkTables[link.table]
                var entry = ChangeSet.Link(table: link.table, first: link.first.key, second: link.second.key)
                changes[store].relationships.formUnion([table.first, table.second])
                if isAdded {
                    if table.isFirstOrdered { entry.firstPosition = place(table.first, link.first, link.second) }
                    if table.isSecondOrdered { entry.secondPosition = place(table.second, link.second, link.first) }
                    changes[store].set.links += bothWays(entry)
                } else {
                    changes[store].set.unlinks += bothWays(entry)
                }
            }
        }
        let moves = places.filter { !$0.value.isEmpty }
        for (side, members) in moves.sorted(by: { $0.key < $1.key }) {
            guard case .links(let table, let isFirst) = state.layout.relationships[side.relationship].storage,
                let store = state.identities.store(of: side.owner)
            else { continue }
            for (member, place) in members.sorted(by: { $0.key < $1.key }) {
                changes[store].set.moves += bothWays(
                    isFirst
                        ? .init(table: table, first: side.owner.key, second: member, firstPosition: place)
                        : .init(table: table, first: member, second: side.owner.key, secondPosition: place))
            }
        }
        for side in new.reordered {
            guard let store = state.identities.store(of: side.owner) else { continue }
            changes[store].relationships.insert(side.relationship)
            changes[store].reordered.append(side)
        }
        if new.isMerged { state.commits.hasMergedOrders = true }
    }

    /// Returns the entries of a link in a change set: both directions if the relationship is its own inverse.
    private func bothWays(_ link: ChangeSet.Link) -> [ChangeSet.Link] {
        let table = state.layout.linkTables[link.table]
        guard table.first == table.second, link.first != link.second else { return [link] }
        return [
            link,
            .init(
                table: link.table, first: link.second, second: link.first, firstPosition: link.secondPosition,
                secondPosition: link.firstPosition),
        ]
    }

    /// Adds the conditions of the transaction's options: the rows and members that must not have changed.
    func addConditions(to changes: inout StoreChanges) {
        guard state.readers.readSet != nil || state.throwsOnConflict else { return }
        changes.set.conditions += changes.updated.compactMap(\.base).map { .unchanged($0, mayBeGone: false) }
        changes.set.conditions += changes.deleted.map { .unchanged($0.base ?? $0.row, mayBeGone: true) }
        for (side, keys) in state.pending.expected.sorted(by: { $0.key < $1.key }) {
            guard state.identities.store(of: side.owner) === changes.store,
                state.identities.knownObject(side.owner) != nil
            else { continue }
            changes.set.conditions.append(
                .members(relationship: side.relationship, owner: side.owner.key, keys))
        }
        if let readSet = state.readers.readSet { changes.set.conditions += readSet.conditions(changes.store) }
    }

    /// Sets the policies for new rows with the same unique values as other rows.
    func addPolicies(to changes: inout StoreChanges) {
        guard !changes.set.inserts.isEmpty else { return }
        guard let uniqueConstraintPolicy = state.uniqueConstraintPolicy else {
            return changes.set.uniqueConstraintPolicies = state.binding.uniqueConstraintPolicies
        }
        guard uniqueConstraintPolicy != .merge else { return }
        for entity in state.layout.entities where entity.root == entity.index && !entity.uniqueConstraints.isEmpty {
            changes.set.uniqueConstraintPolicies[entity.index] = entity.uniqueConstraints.map { _ in
                uniqueConstraintPolicy
            }
        }
    }
}
