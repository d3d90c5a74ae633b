package import CofferStorage
package import CofferStorageTools

/// Groups rows in any order by their owners.
///
/// The rows of one owner get the order of their places, and of their keys if there are no places.
package struct SQLOwnerGroups {
    private let places: OwnerPlaces
    private let positionSlot: Int?
    /// The first and the last row of each owner, -1 for none, and the greatest key so far.
    private var ends: [(first: Int32, last: Int32, key: Int64)]
    /// Whether the rows of some owner were not in the order of their keys.
    private var isUnsorted = false
    private var rows: [Row] = []
    /// The next row of the same owner; -1 for none.
    private var following: [Int32] = []

    /// - Parameters:
    ///   - owners: the owners of the rows.
    ///   - positionSlot: the slot of the place in an ordered relationship.
    package init(_ owners: OwnerPlaces, positionSlot: Int?) {
        places = owners
        self.positionSlot = positionSlot
        ends = Array(repeating: (-1, -1, .min), count: owners.owners.count)
    }

    /// Returns the place of an owner; nil for a key that is not one of them.
    @inline(__always)
    package func place(of owner: Int64) -> Int? { places.place(of: owner) }

    /// Adds the next row of the owner with a place.
    @inline(__always)
    package mutating func add(_ row: consuming Row, to place: Int) {
        let index = Int32(truncatingIfNeeded: rows.count)
        let key = row.key
        if key < ends[place].key { isUnsorted = true } else { ends[place].key = key }
        rows.append(row)
        following.append(-1)
        let last = ends[place].last
        if last < 0 { ends[place].first = index } else { following[Int(last)] = index }
        ends[place].last = index
    }

    /// Calls the closure with the rows of one owner after the other.
    package func forEach(_ body: (_ owner: Int64, _ row: consuming Row) -> Void) {
        for (place, owner) in places.owners.enumerated() {
            if positionSlot != nil || isUnsorted {
                for row in ordered(place) { body(owner, row) }
                continue
            }
            var index = ends[place].first
            while index >= 0 {
                body(owner, rows[Int(index)])
                index = following[Int(index)]
            }
        }
    }

    /// The rows of one owner by their places and then by their keys; rows without a place come first.
    private func ordered(_ place: Int) -> [Row] {
        var found: [(hasPlace: Int, place: Int64, row: Row)] = []
        var index = ends[place].first
        while index >= 0 {
            let row = rows[Int(index)]
            let position = positionSlot.flatMap { row.isNull($0) ? nil : row.integer($0) }
            found.append((position == nil ? 0 : 1, position ?? 0, row))
            index = following[Int(index)]
        }
        found.sort { ($0.hasPlace, $0.place, $0.row.key) < ($1.hasPlace, $1.place, $1.row.key) }
        return found.map(\.row)
    }
}
