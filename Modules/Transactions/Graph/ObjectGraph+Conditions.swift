import CofferSchema
import CofferStorage

extension ObjectGraph {
    /// Makes a part of a transaction depend on what its options say that must not have changed.
    func addConditions(to changes: inout StoreChanges) {
        guard readLog != nil || throwsOnConflict else { return }
        for object in changes.updated { if let base = object.base { changes.expect(base) } }
        for object in changes.deleted { changes.expect(object.base ?? object.row, mayBeGone: true) }
        if let readLog { changes.set.conditions += readLog.conditions(changes.store) }
    }

    /// A reader of a store, whose answers are noted where they must be.
    func makeReader(_ store: OpenStore) throws(StorageError) -> any StorageReader {
        let reader = try backing.makeReader(store, isCurrent: isEditable)
        guard let readLog else { return reader }
        return RecordingReader(reader, store, readLog)
    }
}

extension StoreChanges {
    fileprivate mutating func expect(_ row: Row, mayBeGone: Bool = false) {
        set.conditions.append(.unchanged(row, mayBeGone: mayBeGone))
    }
}
