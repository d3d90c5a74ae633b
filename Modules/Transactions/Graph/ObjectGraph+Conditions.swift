import CofferSchema
import CofferStorage

extension ObjectGraph {
    /// Makes a part of a transaction depend on what its options say that must not have changed.
    func addConditions(to changes: inout StoreChanges) {
        guard readLog != nil || throwsOnConflict else { return }
        for object in changes.updated { if let base = object.base { changes.expect(base) } }
        for object in changes.deleted { changes.expect(object.base ?? object.row, mayBeGone: true) }
        for (side, keys) in pending.expected.sorted(by: { $0.key < $1.key }) {
            guard space(side.owner.storage)?.store === changes.store, knownObject(side.owner) != nil else { continue }
            changes.set.conditions.append(
                .members(relationship: side.relationship, owner: side.owner.key, keys))
        }
        if let readLog { changes.set.conditions += readLog.conditions(changes.store) }
    }

    /// Reads again what the relationships of some objects must still lead to when they are saved.
    func renewExpected(of objects: [CoreStoreObject]) throws(StorageError) {
        guard !pending.expected.isEmpty else { return }
        let owners = Set(objects.map(\.id))
        for side in pending.expected.keys where owners.contains(side.owner) {
            guard let store = space(side.owner.storage)?.store else { continue }
            let found = try read(store, "refresh") { reader throws(StorageError) in
                try reader.members(side.relationship, of: [side.owner.key])
            }
            let keys = found.first?.members.map(\.key) ?? []
            pending.expected[side] = keys
            undo?.renewExpected(side, keys)
        }
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
