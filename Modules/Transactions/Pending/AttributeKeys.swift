public import CofferStorage

/// A list of different values of one attribute, which finds the position of a row's value.
///
/// The place of a row is found without copying the value out of the row.
@usableFromInline
package struct AttributeKeys {
    /// The values in the order in which they were added.
    @usableFromInline package private(set) var values: [Value] = []
    private var places = PlaceTable()
    private let slot: Int
    private let kind: ColumnKind

    init(slot: Int, kind: ColumnKind) {
        self.slot = slot
        self.kind = kind
    }

    @usableFromInline
    package mutating func reserveCapacity(_ count: Int) {
        values.reserveCapacity(count)
        places.reserveCapacity(count)
    }

    /// Adds a value, unless it is in the list.
    ///
    /// - Returns: the place of the value, and whether it is new.
    @usableFromInline
    package mutating func add(_ value: Value) -> (place: Int, isNew: Bool) {
        let hash = value.rowHash
        var place = places.last(hash)
        while place >= 0 {
            if values[place] == value { return (place, false) }
            place = places.former(place)
        }
        values.append(value)
        places.append(hash)
        return (values.count - 1, true)
    }

    /// Returns the place of a row's value; nil if the row's value is null or was not added.
    func place(of row: Row) -> Int? {
        guard row.holds(slot) else { return nil }
        var place = places.last(row.valueHash(slot, kind))
        while place >= 0 {
            if row.hasValue(values[place], slot, kind) { return place }
            place = places.former(place)
        }
        return nil
    }
}
