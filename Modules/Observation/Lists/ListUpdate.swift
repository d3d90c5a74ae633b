import CofferStorage

/// The next state of an observed list, which is computed but not yet shown.
struct ListUpdate {
    let old: ListTree
    let new: ListTree
    let change: ListChange
    /// The number of the last commit it knows of.
    let commit: Int
    /// The entries that differ, by id, nil for what left; nil when the whole list was fetched.
    let differing: [ObjectID: ListEntry?]?
    /// Whether objects were moved together that the order has apart.
    let isGrouped: Bool

    /// Whether objects of one section are apart that were together before.
    var hasSectionsApart: Bool {
        guard !change.inserted.isEmpty || !change.moved.isEmpty else { return false }
        let names = (0..<new.runCount).compactMap { new[new.start(ofRun: $0)].section.map { ObjectIdentifier($0) } }
        return Set(names).count < names.count
    }

    /// The ids of the objects that left a list that was fetched.
    var removedIDs: [ObjectID] { change.removed.map { old[$0].id } }

    /// The ids of what is in the list and changed, moved or came.
    var ids: Set<ObjectID> {
        if let differing { return Set(differing.filter { $0.value != nil }.keys) }
        var ids: Set<ObjectID> = []
        for place in change.inserted { ids.insert(new[place].id) }
        for (_, place) in change.moved + change.updated { ids.insert(new[place].id) }
        return ids
    }
}
