import CofferStorage
import CofferStorageTools
import Foundation

/// Refuses rows that do not fit the model: abstract entities, invalid keys, NaN, and wrong numbers of columns.
struct RowCheck: Sendable {
    /// What a row of one entity looks like.
    final class Shape: Sendable {
        let root: Int
        let isAbstract: Bool
        let kinds: [ColumnKind]
        /// The slots whose values lie in the tail of a row.
        let tails: [Int]
        let doubles: [Int]
        let decimals: [Int]

        init(_ entity: EntityLayout) {
            root = entity.root
            isAbstract = entity.isAbstract
            kinds = entity.kinds
            tails = entity.kinds.indices.filter { entity.kinds[$0].isInTail }
            doubles = entity.kinds.indices.filter { entity.kinds[$0].isDouble }
            decimals = entity.kinds.indices.filter { entity.kinds[$0] == .decimal }
        }
    }

    let layout: ModelLayout
    /// By entity.
    let shapes: [Shape]

    init(_ layout: ModelLayout) {
        self.layout = layout
        shapes = layout.entities.map(Shape.init)
    }

    /// The root of an entity.
    func root(_ entity: Int) throws(StorageError) -> Int {
        guard shapes.indices.contains(entity) else { throw noEntity(entity) }
        return shapes[entity].root
    }

    private func noEntity(_ entity: Int) -> StorageError {
        .invalidRequest("There is no entity with index \(entity) in version '\(layout.model.version)'.")
    }

    /// The root of the entity that declares a side of a table of links.
    func root(of relationship: Int) -> Int {
        shapes[layout.relationships[relationship].owner].root
    }

    /// What the rows of an entity look like.
    func shape(_ entity: Int) throws(StorageError) -> Shape {
        guard shapes.indices.contains(entity) else { throw noEntity(entity) }
        let shape = shapes[entity]
        guard !shape.isAbstract else {
            throw .invalidRequest("'\(layout.entities[entity].name)' is abstract and has no rows of its own.")
        }
        return shape
    }

    /// Checks a row of some shape.
    func row(_ row: Row, _ shape: Shape) throws(StorageError) {
        guard row.key > 0, row.slotCount == shape.kinds.count else {
            throw .invalidRequest(
                "A row of '\(layout.entities[row.entity].name)' has no valid key or number of columns.")
        }
        try layout.checkVersion(row)
        for slot in shape.tails where !row.isTailSlotSound(slot) && !row.isNull(slot) { throw invalidValue(row, slot) }
        for slot in shape.doubles where row.double(slot).isNaN && !row.isNull(slot) { throw invalidValue(row, slot) }
        for slot in shape.decimals where !row.isNull(slot) && row.decimal(slot).isNaN { throw invalidValue(row, slot) }
    }

    private func invalidValue(_ row: Row, _ slot: Int) -> StorageError {
        let entity = layout.entities[row.entity]
        return StorageError(.invalidValue, "A value of '\(entity.name).\(entity.columns[slot].name)' is not valid.")
    }
}
