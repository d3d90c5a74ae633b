import CofferSchema
import CofferStorage

/// The pending objects of a column by the hashes of its values, so that no value is copied out of a row.
struct PendingHash {
    let column: PendingColumn
    private var objects: [CoreStoreObject] = []
    private var places = PlaceTable()
    /// The number of entries that may be of former values.
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

    /// Whether one of the last entries with a hash is of an object.
    ///
    /// If many objects have the same value, an object may get another entry. After many such entries, the whole hash
    /// is created again.
    private func contains(_ object: CoreStoreObject, _ hash: Int) -> Bool {
        var place = places.last(hash)
        for _ in 0..<16 where place >= 0 {
            if objects[place] === object { return true }
            place = places.former(place)
        }
        return false
    }

    /// Returns the last object that may have a value with a hash, and its place; nil if there is none.
    func last(_ hash: Int) -> (object: CoreStoreObject, place: Int)? { entry(places.last(hash)) }

    /// Returns the previous object with the same hash.
    func former(_ place: Int) -> (object: CoreStoreObject, place: Int)? { entry(places.former(place)) }

    private func entry(_ place: Int) -> (object: CoreStoreObject, place: Int)? {
        place >= 0 ? (objects[place], place) : nil
    }

    /// Returns how many objects may have a value with a hash, counted up to a limit.
    func count(_ hash: Int, upTo limit: Int) -> Int {
        var (count, place) = (0, places.last(hash))
        while place >= 0, count < limit {
            count += 1
            place = places.former(place)
        }
        return count
    }
}
