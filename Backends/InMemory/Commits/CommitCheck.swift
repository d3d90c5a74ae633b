import CofferStorage
import Foundation

/// Refuses rows that do not fit the layout, so that reading them back cannot go wrong.
struct CommitCheck {
    let layout: ModelLayout

    /// The root of an entity.
    func root(_ entity: Int) throws(StorageError) -> Int {
        guard layout.entities.indices.contains(entity) else {
            throw .invalidRequest("There is no entity with index \(entity) in version '\(layout.model.version)'.")
        }
        return layout.entities[entity].root
    }

    func isEntity(_ entity: Int, under root: Int) -> Bool {
        layout.entities.indices.contains(entity) && layout.entities[entity].root == root
    }

    /// The root of the entity that declares a side of a table of links.
    func root(of relationship: Int) -> Int {
        layout.entities[layout.relationships[relationship].owner].root
    }

    func kinds(_ row: Row) -> [ColumnKind] { layout.entities[row.entity].kinds }

    /// The slots of an entity whose values lie in the tail of a row.
    func tails(_ entity: Int) -> [Int] {
        layout.entities[entity].kinds.indices.filter { layout.entities[entity].kinds[$0].isInTail }
    }

    /// Checks a row and tells the root of its entity.
    func row(_ row: Row) throws(StorageError) -> Int {
        let root = try root(row.entity)
        let entity = layout.entities[row.entity]
        guard !entity.isAbstract else {
            throw .invalidRequest("'\(entity.name)' is abstract and has no rows of its own.")
        }
        guard row.key > 0, row.slotCount == entity.kinds.count else {
            throw .invalidRequest("A row of '\(entity.name)' has an invalid key or number of columns.")
        }
        for slot in 0..<row.slotCount where !row.isNull(slot) {
            let isSound =
                switch entity.kinds[slot] {
                case .double: !row.double(slot).isNaN
                case .text, .blob: row.isTailSlotSound(slot)
                case .decimal: row.isTailSlotSound(slot) && !row.decimal(slot).isNaN
                default: true
                }
            guard isSound else {
                throw StorageError(.invalidValue, "A value of '\(entity.name).\(entity.columns[slot].name)' is not valid.")
            }
        }
        return root
    }
}

extension ColumnKind {
    /// Whether the value lies in the tail of a row.
    var isInTail: Bool {
        switch self {
        case .text, .blob, .decimal: true
        case .integer, .double, .boolean, .date, .reference: false
        }
    }
}
