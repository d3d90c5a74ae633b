import CofferStorage

/// Reads and compares the references of a row, which may be null.
extension Row {
    /// The integer or key in a slot; nil if the slot is null.
    func integerIfAny(_ slot: Int) -> Int64? { isNull(slot) ? nil : integer(slot) }

    /// Whether a reference, and the place that belongs to it, have the same values in another row.
    func hasSame(_ reference: EntityLayout.Reference, as other: Row) -> Bool {
        hasSameValue(reference.slot, .reference, as: other)
            && reference.positionSlot.map { hasSameValue($0, .integer, as: other) } ?? true
    }
}

extension ModelLayout {
    /// The slots of the to-one relationships of a row, and of the places that belong to them.
    func toOneSlots(of row: Row) -> some Sequence<(slot: Int, place: Int?)> {
        entities[row.entity].relationships.lazy.compactMap { index in
            guard case .reference(let slot, let place) = self.relationships[index].storage else { return nil }
            return (slot, place)
        }
    }
}

extension RelationshipLayout {
    /// The slots of the reference and of the place that belongs to it; none for links.
    var referenceSlots: [Int] {
        switch storage {
        case .reference(let slot, let positionSlot), .inverse(let slot, let positionSlot):
            [slot] + (positionSlot.map { [$0] } ?? [])
        case .links: []
        }
    }
}
