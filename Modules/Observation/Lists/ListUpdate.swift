import CofferStorage

/// The next state of an observed list, which is computed but not yet shown.
struct ListUpdate {
    let old: ListTree
    let new: ListTree
    let change: ListChange
    /// The number of the last commit that the update includes.
    let commit: Int
    /// The changed entries by id, with nil for a removed entry; nil if the whole list was fetched.
    let differing: [ObjectID: ListEntry?]?
    /// Whether objects that the order separates were moved together.
    let isGrouped: Bool

    /// Whether the change separates objects of one section.
    var hasSectionsApart: Bool {
        guard !change.inserted.isEmpty || !change.moved.isEmpty else { return false }
        let names = (0..<new.runCount).compactMap { new[new.start(ofRun: $0)].section.map { ObjectIdentifier($0) } }
        return Set(names).count < names.count
    }

    /// The ids of the objects that left the list.
    var removedIDs: [ObjectID] { change.removed.map { old[$0].id } }

    /// The ids of the objects in the list that changed, moved or were inserted.
    var ids: Set<ObjectID> {
        if let differing { return Set(differing.filter { $0.value != nil }.keys) }
        var ids: Set<ObjectID> = []
        for place in change.inserted { ids.insert(new[place].id) }
        for (_, place) in change.moved + change.updated { ids.insert(new[place].id) }
        return ids
    }
}
