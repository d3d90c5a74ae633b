import CofferSchema
import CofferStorage

/// The order of to-many relationships: what a transaction changes of it, and the places that members get.
extension ObjectGraph {
    /// Notes what a to-many side led to before the transaction changes it.
    func noteBase(_ side: PendingChanges.Side, _ keys: [Int64]) {
        if pending.bases[side] == nil { pending.bases[side] = keys }
    }

    /// Notes that a to-many side whose members are known is about to be set.
    func noteAssigned(_ side: PendingChanges.Side, _ owner: CoreStoreObject) {
        noteBase(side, owner.attachment?.relatedKeys[side.relationship] ?? [])
        guard pending.assigned.insert(side).inserted, throwsOnConflict, !owner.state.contains(.isInserted) else {
            return
        }
        pending.expected[side] = pending.bases[side]
    }

    /// A link in the form in which it is pending: of a relationship that is its own inverse, one way only.
    func pendingLink(_ table: Int, _ owner: ObjectID, _ member: ObjectID, _ isFirst: Bool) -> PendingChanges.Link {
        var link = PendingChanges.Link(table: table, first: isFirst ? owner : member, second: isFirst ? member : owner)
        let sides = layout.linkTables[table]
        if sides.first == sides.second, link.first.key > link.second.key { swap(&link.first, &link.second) }
        return link
    }

    /// Gives the members of an ordered relationship the order of a list.
    ///
    /// Those of one-to-many relationships get their places now, as few as possible other ones. Those of many-to-many
    /// relationships get them when they are saved.
    ///
    /// - Parameter kept: the members that were members before.
    func setOrder(
        _ owner: CoreStoreObject, _ relationship: RelationshipLayout, _ members: [CoreStoreObject], _ kept: Set<Int64>
    ) {
        guard case .inverse(_, let slot?) = relationship.storage else {
            pending.reordered[.init(relationship: relationship.index, owner: owner.id)] = owner
            return
        }
        let places = members.map { $0.row.isNull(slot) ? nil : $0.row.integer(slot) }
        let staying = members.indices.filter { places[$0] != nil && kept.contains(members[$0].id.key) }
        func precedes(_ left: Int, _ right: Int) -> Bool {
            (places[left] ?? .min, members[left].id.key) < (places[right] ?? .min, members[right].id.key)
        }
        var isFixed = Array(repeating: false, count: members.count)
        if zip(staying, staying.dropFirst()).allSatisfy(precedes) {
            for index in staying { isFixed[index] = true }
        } else {
            var ranks = Array(repeating: 0, count: members.count)
            for (rank, index) in staying.sorted(by: precedes).enumerated() { ranks[index] = rank }
            for place in AscendingRun.longest(in: staying.map { ranks[$0] }) { isFixed[staying[place]] = true }
        }
        for (index, place) in OrderedPlaces.changes(places, isFixed: isFixed) where places[index] != place {
            write(place, slot, of: members[index])
        }
    }

    // MARK: Saving

    /// The places that the members of ordered many-to-many relationships get when they are saved.
    struct NewPlaces {
        /// By side, the places by member.
        var places: [PendingChanges.Side: [Int64: Int64]] = [:]
        /// The sides on which members that stay come in another order.
        var reordered: [PendingChanges.Side] = []
        /// Whether someone else changed one of the relationships meanwhile.
        var isMerged = false
    }

    /// Works out the places of what was added and moved, in what the stores hold now.
    func newPlaces() throws(StorageError) -> NewPlaces {
        var result = NewPlaces()
        var added = addedMembers()
        try loadReturned(&added)
        for (side, owner) in pending.reordered where !owner.isDeleted && added[side] == nil { added[side] = [] }
        var unread: [Int: [(side: PendingChanges.Side, order: PendingChanges.Order)]] = [:]
        var unloaded: [Int: [(side: PendingChanges.Side, members: [Int64])]] = [:]
        for (side, members) in added {
            let owner = table(side.owner.storage)?.object(side.owner.key)
            guard owner?.isDeleted != true else { continue }
            let delta = pending.deltas[side]
            if owner?.state.contains(.isInserted) == true, let owner {
                let keys = try relatedKeys(layout.relationships[side.relationship], of: owner)
                result.add(keys, Array(repeating: nil, count: keys.count), isFixed: { _ in false }, side)
            } else if let keys = owner?.attachment?.relatedKeys[side.relationship] {
                unread[side.relationship, default: []].append(
                    (side, .init(base: pending.bases[side] ?? keys, current: keys)))
            } else if let order = delta?.order {
                unread[side.relationship, default: []].append((side, order))
            } else if !members.isEmpty {
                let wanted = Set(members)
                let inOrder = (delta?.added ?? []).filter(wanted.contains)
                unloaded[side.relationship, default: []].append((side, inOrder.isEmpty ? members.sorted() : inOrder))
            }
        }
        for (relationship, sides) in unread.sorted(by: { $0.key < $1.key }) { try place(sides, relationship, &result) }
        for (relationship, sides) in unloaded.sorted(by: { $0.key < $1.key }) {
            try append(sides, relationship, &result)
        }
        return result
    }

    /// The members that pending links add to ordered sides.
    private func addedMembers() -> [PendingChanges.Side: [Int64]] {
        var added: [PendingChanges.Side: [Int64]] = [:]
        for link in pending.addedLinks {
            let table = layout.linkTables[link.table]
            if table.isFirstOrdered {
                added[.init(relationship: table.first, owner: link.first), default: []].append(link.second.key)
            }
            if table.isSecondOrdered, table.first != table.second || link.first != link.second {
                added[.init(relationship: table.second, owner: link.second), default: []].append(link.first.key)
            }
        }
        return added
    }

    /// The members that pending links add to one side.
    func addedMembers(_ side: PendingChanges.Side) -> [Int64] {
        guard case .links(let table, let isFirst) = layout.relationships[side.relationship].storage else { return [] }
        let isSymmetric = layout.linkTables[table].first == layout.linkTables[table].second
        return pending.addedLinks.compactMap { link in
            guard link.table == table else { return nil }
            if link.first == side.owner, isFirst || isSymmetric { return link.second.key }
            if link.second == side.owner, !isFirst || isSymmetric { return link.first.key }
            return nil
        }
    }

    /// Loads the ordered sides that members were taken out of and put back into.
    ///
    /// Such a member comes last, which no pending link says.
    private func loadReturned(_ added: inout [PendingChanges.Side: [Int64]]) throws(StorageError) {
        for (side, delta) in pending.deltas where delta.order == nil && !delta.added.isEmpty {
            let relationship = layout.relationships[side.relationship]
            guard relationship.isOrdered, case .links = relationship.storage else { continue }
            let new = Set(added[side] ?? [])
            guard delta.added.contains(where: { !new.contains($0) }), let owner = try object(side.owner),
                !owner.isDeleted
            else { continue }
            if try relatedKeys(relationship, of: owner).isEmpty { continue }
            if added[side] == nil { added[side] = [] }
        }
    }

    /// Places what was added to and moved in members that are known.
    private func place(
        _ sides: [(side: PendingChanges.Side, order: PendingChanges.Order)], _ relationship: Int,
        _ result: inout NewPlaces
    ) throws(StorageError) {
        for (storage, sides) in Dictionary(grouping: sides, by: { $0.side.owner.storage }) {
            guard let store = space(storage)?.store else { continue }
            let owners = sides.map(\.side.owner.key).sorted()
            let found = try read(store, "save") { reader throws(StorageError) in
                try reader.members(relationship, of: owners)
            }
            let members = Dictionary(found.map { ($0.owner, $0.members) }, uniquingKeysWith: { first, _ in first })
            for (side, order) in sides {
                let stored = members[side.owner.key] ?? []
                let merge = OrderedMerge(base: order.base, current: order.current, stored: stored.map(\.key))
                if merge.keys != order.current { result.isMerged = true }
                // A store passes over these. They are there for the condition that then does not hold.
                if throwsOnConflict {
                    for key in merge.removedElsewhere { result.places[side, default: [:]][key] = OrderedPlaces.step }
                }
                if !merge.moved.isEmpty { result.reordered.append(side) }
                let places = Dictionary(stored.map { ($0.key, $0.place) }, uniquingKeysWith: { first, _ in first })
                result.add(
                    merge.keys, merge.keys.map { places[$0] ?? nil }, isFixed: { !merge.placed.contains($0) }, side)
            }
        }
    }

    /// Puts what was added to members that are not known after the last of them.
    private func append(
        _ sides: [(side: PendingChanges.Side, members: [Int64])], _ relationship: Int, _ result: inout NewPlaces
    ) throws(StorageError) {
        for (storage, sides) in Dictionary(grouping: sides, by: { $0.side.owner.storage }) {
            guard let store = space(storage)?.store else { continue }
            let owners = sides.map(\.side.owner.key).sorted()
            let last = try read(store, "save") { reader throws(StorageError) in
                try reader.lastPlaces(relationship, of: owners)
            }
            for (side, members) in sides {
                var place = last[side.owner.key]
                for member in members {
                    place = OrderedPlaces.after(place) ?? .max
                    result.places[side, default: [:]][member] = place
                }
            }
        }
    }
}

extension ObjectGraph.NewPlaces {
    /// Adds the places of one side that differ from those its members have.
    mutating func add(
        _ keys: [Int64], _ places: [Int64?], isFixed: (Int64) -> Bool, _ side: PendingChanges.Side
    ) {
        let changes = OrderedPlaces.changes(places, isFixed: keys.map(isFixed))
        guard !changes.isEmpty else { return }
        var made = self.places[side] ?? [:]
        made.reserveCapacity(changes.count)
        for (index, place) in changes { made[keys[index]] = place }
        self.places[side] = made
    }
}
