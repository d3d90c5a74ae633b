import CofferSchema
import CofferStorage

/// The pending objects of a column by the hashes of its values, so that no value is copied out of a row.
struct PendingHash {
    let column: PendingColumn
    private var objects: [CoreStoreObject] = []
    private var places = PlaceTable()
    /// How many entries may be of former values.
    private(set) var staleCount = 0

    init(_ column: PendingColumn) { self.column = column }

    var count: Int { objects.count }

    /// - Parameter isKnown: whether the object may have an entry.
    mutating func enter(_ object: CoreStoreObject, isKnown: Bool, _ layout: ModelLayout) {
        guard column.isPart(of: object, layout) else { return }
        object.state.insert(.isIndexed)
        let hash = object.held.lent { row -> Int? in
            row.holds(column.slot) ? row.valueHash(column.slot, column.kind) : nil
        }
        guard let hash else { return }
        if isKnown {
            guard !contains(object, hash) else { return }
            staleCount += 1
        }
        objects.append(object)
        places.append(hash)
    }

    /// Whether an object has one of the last entries with a hash.
    ///
    /// An object with many others of its value may get another entry. The whole hash is created again after many of these.
    private func contains(_ object: CoreStoreObject, _ hash: Int) -> Bool {
        var place = places.last(hash)
        for _ in 0..<16 where place >= 0 {
            if objects[place] === object { return true }
            place = places.former(place)
        }
        return false
    }

    /// The last object that may have a value with a hash, and its place; nil for none.
    func last(_ hash: Int) -> (object: CoreStoreObject, place: Int)? { entry(places.last(hash)) }

    /// The object before another one with the same hash.
    func former(_ place: Int) -> (object: CoreStoreObject, place: Int)? { entry(places.former(place)) }

    private func entry(_ place: Int) -> (object: CoreStoreObject, place: Int)? {
        place >= 0 ? (objects[place], place) : nil
    }

    /// How many objects may have a value with a hash, counted up to a limit.
    func count(_ hash: Int, upTo limit: Int) -> Int {
        var (count, place) = (0, places.last(hash))
        while place >= 0, count < limit {
            count += 1
            place = places.former(place)
        }
        return count
    }
}
