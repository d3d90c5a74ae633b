import CofferSchema
import CofferStorage
import CofferStorageTools

/// Decides the places of members that a commit adds or moves in ordered many-to-many relationships.
struct PlacePlanner {
    let state: ContextState

    // MARK: Saving

    /// The new places of members in ordered many-to-many relationships.
    struct NewPlaces {
        /// The new places by side and member.
        var places: [PendingChanges.Side: [Int64: Int64]] = [:]
        /// The sides whose remaining members have a new order.
        var reordered: [PendingChanges.Side] = []
        /// Whether another transaction changed the order or the members of one of the relationships in the meantime.
        var isMerged = false
    }

    /// Computes the places of added and moved members from the members that the stores have now.
    func newPlaces() throws(StorageError) -> NewPlaces {
        var result = NewPlaces()
        var added = state.deltas.orderedMembers(of: state.pending.addedLinks)
        try loadReturned(&added)
        for (side, owner) in state.pending.reordered where !owner.isDeleted && added[side] == nil { added[side] = [] }
        var unread: [Int: [(side: PendingChanges.Side, order: PendingChanges.Order)]] = [:]
        var unloaded: [Int: [(side: PendingChanges.Side, members: [Int64])]] = [:]
        for (side, members) in added {
            let owner = state.identities.object(side.owner)
            guard owner?.isDeleted != true else { continue }
            let delta = state.pending.deltas[side]
            if owner?.state.contains(.isInserted) == true, let owner {
                let keys = try state.loader.relatedKeys(state.layout.relationships[side.relationship], of: owner)
                result.add(keys, Array(repeating: nil, count: keys.count), isFixed: { _ in false }, side)
            } else if let keys = owner?.attachment?.relatedKeys[side.relationship] {
                unread[side.relationship, default: []].append(
                    (side, .init(base: state.pending.bases[side] ?? keys.keys, current: keys)))
            } else if let order = delta?.order {
                unread[side.relationship, default: []].append((side, order))
            } else if !members.isEmpty {
                let wanted = Set(members)
                let inOrder = (delta?.added.keys ?? []).filter(wanted.contains)
                unloaded[side.relationship, default: []].append((side, inOrder.isEmpty ? members.sorted() : inOrder))
            }
        }
        for (relationship, sides) in unread.sorted(by: { $0.key < $1.key }) { try place(sides, relationship, &result) }
        for (relationship, sides) in unloaded.sorted(by: { $0.key < $1.key }) {
            try append(sides, relationship, &result)
        }
        return result
    }

    /// Loads the ordered sides from which a member was removed and to which it was added again.
    ///
    /// Such a member comes last, but no pending link records this position.
    private func loadReturned(_ added: inout [PendingChanges.Side: [Int64]]) throws(StorageError) {
        for (side, delta) in state.pending.deltas where delta.order == nil && !delta.added.isEmpty {
            let relationship = state.layout.relationships[side.relationship]
            guard relationship.isOrdered, case .links = relationship.storage else { continue }
            let new = Set(added[side] ?? [])
            guard delta.added.keys.contains(where: { !new.contains($0) }),
                let owner = try state.finder.object(side.owner),
                !owner.isDeleted
            else { continue }
            if try state.loader.relatedKeys(relationship, of: owner).isEmpty { continue }
            if added[side] == nil { added[side] = [] }
        }
    }

    /// Computes the places of added and moved members on sides whose pending order is known.
    private func place(
        _ sides: [(side: PendingChanges.Side, order: PendingChanges.Order)], _ relationship: Int,
        _ result: inout NewPlaces
    ) throws(StorageError) {
        for (storage, sides) in Dictionary(grouping: sides, by: { $0.side.owner.storage }) {
            guard let store = state.identities.space(storage)?.store else { continue }
            let owners = sides.map(\.side.owner.key).sorted()
            let found = try state.readers.members(relationship, of: owners, store, "save")
            let members = Dictionary(found.map { ($0.owner, $0.members) }, uniquingKeysWith: { first, _ in first })
            for (side, order) in sides {
                let stored = members[side.owner.key] ?? []
                let current = order.current.keys
                let merge = OrderedMerge(base: order.base, current: current, stored: stored.map(\.key))
                if merge.keys != current { result.isMerged = true }
                // A store ignores these moves of members that others removed. The moves are here for the condition,
                // which then fails.
                if state.throwsOnConflict {
                    for key in merge.removedElsewhere { result.places[side, default: [:]][key] = OrderedPlaces.step }
                }
                if !merge.moved.isEmpty { result.reordered.append(side) }
                let places = Dictionary(stored.map { ($0.key, $0.place) }, uniquingKeysWith: { first, _ in first })
                result.add(
                    merge.keys, merge.keys.map { places[$0] ?? nil }, isFixed: { !merge.placed.contains($0) }, side)
            }
        }
    }

    /// Places added members after the last stored member, for sides whose members are not loaded.
    private func append(
        _ sides: [(side: PendingChanges.Side, members: [Int64])], _ relationship: Int, _ result: inout NewPlaces
    ) throws(StorageError) {
        for (storage, sides) in Dictionary(grouping: sides, by: { $0.side.owner.storage }) {
            guard let store = state.identities.space(storage)?.store else { continue }
            let owners = sides.map(\.side.owner.key).sorted()
            let last = try state.readers.read(store, "save") { reader throws(StorageError) in
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

extension PlacePlanner.NewPlaces {
    /// Adds the places of one side that differ from the current places of its members.
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
