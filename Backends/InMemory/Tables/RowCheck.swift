import CofferStorage
import CofferStorageTools
import Foundation

/// Refuses rows that do not fit the model: abstract entities, invalid keys, NaN, and wrong numbers of columns.
struct RowCheck: Sendable {
    let layout: ModelLayout
    /// The slots whose values lie in the tail of a row, by entity.
    let tails: [[Int]]

    init(_ layout: ModelLayout) {
        self.layout = layout
        tails = layout.entities.map { entity in entity.kinds.indices.filter { entity.kinds[$0].isInTail } }
    }

    /// Returns the root of an entity.
    func root(_ entity: Int) throws(StorageError) -> Int { try known(entity).root }

    private func known(_ entity: Int) throws(StorageError) -> EntityLayout {
        guard layout.entities.indices.contains(entity) else {
            throw .invalidRequest("There is no entity with index \(entity) in version '\(layout.model.version)'.")
        }
        return layout.entities[entity]
    }

    /// Returns the root of the entity that declares one side of a link table.
    func root(of relationship: Int) -> Int { layout.entities[layout.relationships[relationship].owner].root }

    /// Returns an entity; throws an error if the entity has no rows of its own.
    func entity(_ entity: Int) throws(StorageError) -> EntityLayout {
        let entity = try known(entity)
        guard !entity.isAbstract else {
            throw .invalidRequest("'\(entity.name)' is abstract and has no rows of its own.")
        }
        return entity
    }

    /// Checks a row of an entity.
    func row(_ row: Row, _ entity: EntityLayout) throws(StorageError) {
        guard row.key > 0, row.slotCount == entity.kinds.count else {
            throw .invalidRequest("A row of '\(entity.name)' has an invalid key or number of columns.")
        }
        try layout.checkVersion(row)
        for slot in tails[entity.index] where !row.isTailSlotSound(slot) && !row.isNull(slot) {
            throw invalidValue(entity, slot)
        }
        for slot in entity.doubleSlots where row.double(slot).isNaN && !row.isNull(slot) {
            throw invalidValue(entity, slot)
        }
        for slot in entity.decimalSlots where !row.isNull(slot) && row.decimal(slot).isNaN {
            throw invalidValue(entity, slot)
        }
    }

    private func invalidValue(_ entity: EntityLayout, _ slot: Int) -> StorageError {
        StorageError(.invalidValue, "A value of '\(entity.name).\(entity.columns[slot].name)' is not valid.")
    }
}
