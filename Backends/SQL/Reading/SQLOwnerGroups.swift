package import CofferStorage
package import CofferStorageTools

/// Groups the rows of an ordered relationship by their owners, and sorts the rows of each owner by their places.
package struct SQLOwnerGroups {
    private let places: OwnerPlaces
    private let positionSlot: Int
    /// The last row of each owner; -1 for none.
    private var last: [Int32]
    private var rows: [Row] = []
    /// The previous row of the same owner; -1 for none.
    private var previous: [Int32] = []

    /// - Parameters:
    ///   - owners: the owners of the rows.
    ///   - positionSlot: the slot of the place.
    package init(_ owners: OwnerPlaces, positionSlot: Int) {
        places = owners
        self.positionSlot = positionSlot
        last = Array(repeating: -1, count: owners.owners.count)
    }

    /// Adds a row; ignores the row if its owner is not in the list of owners.
    @inline(__always)
    package mutating func add(_ row: consuming Row, of owner: Int64) {
        guard let place = places.place(of: owner) else { return }
        previous.append(last[place])
        last[place] = Int32(truncatingIfNeeded: rows.count)
        rows.append(row)
    }

    /// Calls the closure with the rows of one owner after the other.
    package func forEach(_ body: (_ owner: Int64, _ row: consuming Row) -> Void) {
        for (place, owner) in places.owners.enumerated() {
            for row in ordered(place) { body(owner, row) }
        }
    }

    /// Returns the rows of one owner, by place and then by key; rows without a place come first.
    private func ordered(_ place: Int) -> [Row] {
        var found: [(hasPlace: Int, place: Int64, row: Row)] = []
        var index = last[place]
        while index >= 0 {
            let row = rows[Int(index)]
            let position = row.isNull(positionSlot) ? nil : row.integer(positionSlot)
            found.append((position == nil ? 0 : 1, position ?? 0, row))
            index = previous[Int(index)]
        }
        found.sort { ($0.hasPlace, $0.place, $0.row.key) < ($1.hasPlace, $1.place, $1.row.key) }
        return found.map(\.row)
    }
}
