import CofferStorage

/// What becomes of the rows of one entity, by slots.
struct EntityMove: Sendable {
    /// Where the value of a slot comes from.
    enum Origin: Sendable {
        /// A slot of the old row that holds the same kind.
        case copy(Int)
        /// A slot whose values widen to another kind.
        case widen(Int)
        /// A slot with the key of a row that itself moves from one tree to another.
        case reference(Int, KeyMove)
        /// Nowhere: the column is new, or what it led to is gone.
        case none
    }

    /// A link for each row that refers to another.
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
    /// For the names of the target's attributes, the slots of the source.
    let attributes: [String: Int]
    /// By the target's slots.
    var origins: [Origin]
    /// The slots in which null has to become the default, or is an error.
    var filledSlots: [Int]
    var newLinks: [NewLink] = []

    var keys: KeyMove { KeyMove(source: source.root, target: target.root) }

    /// The bytes that filling in defaults may take in a row's tail.
    var tailOfDefaults: Int {
        target.columns.indices.reduce(0) { sum, slot in
            if case .widen = origins[slot] { return sum + Row.decimalTailSize }
            return sum + target.columns[slot].defaultValue.tailSize
        }
    }
}

/// The trees between which a row moves, by the indexes of their roots: trees that become one must not share keys.
struct KeyMove: Hashable, Sendable {
    let source: Int
    let target: Int
}

/// What becomes of a table of links.
struct LinkMove: Hashable, Sendable {
    /// The index in the target.
    let table: Int
    /// Whether the first side becomes the second.
    let isFlipped: Bool
    /// What becomes of the keys on the source's first side, and on its second.
    let first: KeyMove
    let second: KeyMove
}
