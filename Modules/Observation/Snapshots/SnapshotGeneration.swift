import CofferStorage

/// The identity of a list snapshot, with a cache of the places of its items.
///
/// A copy of a snapshot has the same identity until it is edited.
final class SnapshotGeneration: Sendable {
    private let places = Locked<[ObjectID: Int]?>(nil)

    /// Returns the place of an item; nil if the item is not in the list.
    ///
    /// The first call visits all items.
    func place(of id: ObjectID, in items: SnapshotItems) -> Int? {
        places.withLock { known in
            if let known { return known[id] }
            var made: [ObjectID: Int] = [:]
            for (place, id) in items.ids(0..<items.count).enumerated() where made[id] == nil { made[id] = place }
            known = made
            return made[id]
        }
    }
}
