import CofferStorage

/// The resolved conversion of one entity in a migration step: the origin of each slot, and new links.
struct EntityMove: Sendable {
    /// The origin of the value of a slot.
    enum Origin: Sendable {
        /// A slot of the old row with the same kind.
        case copy(Int)
        /// A slot whose values are converted to another kind without loss.
        case widen(Int)
        /// A slot with the key of a row that moves from one tree to another.
        case reference(Int, KeyMove)
        /// No origin: the column is new, or the related row was deleted.
        case none
    }

    /// A link that replaces the reference of a row.
    struct NewLink: Sendable {
        let table: Int
        let slot: Int
        let positionSlot: Int?
        /// Whether the row is on the first side.
        let isFirst: Bool
        let reference: KeyMove
    }

    let source: EntityLayout
    let target: EntityLayout
    let transformation: EntityMigration.Transformation?
    /// The slots of the source, by the names of the target's attributes.
    let attributes: [String: Int]
    /// The origins, by the slots of the target.
    var origins: [Origin]
    /// The slots in which null is replaced by the default value, or is an error.
    var filledSlots: [Int]
    var newLinks: [NewLink] = []

    var keys: KeyMove { KeyMove(source: source.root, target: target.root) }

    /// The maximum number of bytes that default values add to the tail of a row.
    var tailOfDefaults: Int {
        target.columns.indices.reduce(0) { sum, slot in
            if case .widen = origins[slot] { return sum + Row.decimalTailSize }
            return sum + target.columns[slot].defaultValue.tailSize
        }
    }
}

/// The trees of a move, by the indexes of their roots; two trees that become one tree must not share keys.
struct KeyMove: Hashable, Sendable {
    let source: Int
    let target: Int
}

/// The conversion of a table of links.
struct LinkMove: Hashable, Sendable {
    /// The index in the target.
    let table: Int
    /// Whether the first side becomes the second.
    let isFlipped: Bool
    /// The conversion of the keys on the first and the second side of the source.
    let first: KeyMove
    let second: KeyMove
}
