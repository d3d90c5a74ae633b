import CofferEvaluation
import CofferSchema
import CofferStorage

/// A column of the rows of an entity and its sub-entities in one key space.
struct PendingColumn: Hashable {
    let storage: UInt32
    let entity: Int
    /// The slot; -1 for the key.
    let slot: Int
    let kind: ColumnKind

    /// The keys of the rows.
    static func key(storage: UInt32, entity: Int) -> PendingColumn {
        PendingColumn(storage: storage, entity: entity, slot: -1, kind: .integer)
    }

    /// Whether an object has the column; in rows of other entities, the slot has other values.
    func isPart(of object: CoreStoreObject, _ layout: ModelLayout) -> Bool {
        guard object.id.storage == storage else { return false }
        let own = object.held.lent { $0.entity }
        return own == entity || layout.entity(own, isKindOf: entity)
    }

    /// Returns the word that sorts an object by the column.
    func word(of object: CoreStoreObject) -> SortWord {
        object.held.lent { row in slot < 0 ? SortWord(row.key) : SortWord(row, slot, kind) }
    }
}
