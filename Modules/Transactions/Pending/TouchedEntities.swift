import CofferSchema
import CofferStorage

/// The entities that have pending objects, or have had some.
///
/// The lists of pending objects are read once: each call reads only the objects that were added since the last call.
struct TouchedEntities {
    private var entities: [UInt32: ColumnSet] = [:]
    private var (inserted, updated, deleted) = (PendingCursor(), PendingCursor(), PendingCursor())

    /// Returns the touched entities of a key space.
    mutating func entities(in storage: UInt32, _ pending: borrowing PendingChanges) -> ColumnSet? {
        update(pending)
        return entities[storage]
    }

    private mutating func update(_ pending: borrowing PendingChanges) {
        if !inserted.isValid(in: pending.inserted) || !updated.isValid(in: pending.updated)
            || !deleted.isValid(in: pending.deleted)
        {
            self = TouchedEntities()
        }
        note(pending.inserted, since: inserted.count)
        note(pending.updated, since: updated.count)
        note(pending.deleted, since: deleted.count)
        inserted.move(toEndOf: pending.inserted)
        updated.move(toEndOf: pending.updated)
        deleted.move(toEndOf: pending.deleted)
    }

    private mutating func note(_ objects: [CoreStoreObject], since place: Int) {
        for object in objects[place...] {
            entities[object.id.storage, default: ColumnSet()].insert(object.held.lent { $0.entity })
        }
    }
}
