import CofferStorage

/// The merges of a commit in one store: maps the ids of merged rows to the ids of the surviving rows.
struct Rebinding {
    let store: OpenStore
    private let layout: ModelLayout
    /// The surviving rows, by the id of the inserted row.
    private(set) var merges: [ObjectID: (row: Row, isKept: Bool)] = [:]
    /// The current rows that differ from the rows in the change set.
    let refreshed: [Row]

    init(_ record: CommitRecord.InStore, _ layout: ModelLayout) {
        store = record.store
        self.layout = layout
        refreshed = record.refreshed
        guard !record.merges.isEmpty else { return }
        let rows = Dictionary(
            refreshed.map { (record.store.id($0.key, of: $0.entity), $0) }, uniquingKeysWith: { _, last in last })
        for merge in record.merges {
            guard let row = rows[store.id(merge.into, of: merge.root)] else { continue }
            merges[store.id(merge.from, of: merge.root)] = (row, merge.isKept)
        }
    }

    /// Returns the id of the surviving row if the row was merged; otherwise the same id.
    func id(_ id: ObjectID) -> ObjectID {
        guard let row = merges[id]?.row else { return id }
        return ObjectID(storage: id.storage, key: row.key)
    }

    /// Returns the key of the surviving row for a key of an entity.
    func key(_ key: Int64, entity: Int) -> Int64 { id(store.id(key, of: entity)).key }

    /// Returns a link with the keys of the surviving rows.
    func link(_ link: ChangeSet.Link) -> ChangeSet.Link {
        guard !merges.isEmpty else { return link }
        let table = layout.linkTables[link.table]
        var link = link
        link.first = key(link.first, entity: layout.relationships[table.first].owner)
        link.second = key(link.second, entity: layout.relationships[table.second].owner)
        return link
    }

    /// Returns a row whose references use the keys of the surviving rows.
    func row(_ row: Row) -> Row { redirected(row) ?? row }

    /// Returns a row with redirected references; nil if no reference of the row changes.
    func redirected(_ row: Row) -> Row? {
        var keys: [(slot: Int, key: Int64)] = []
        for index in layout.entities[row.entity].relationships {
            guard case .reference(let slot, _) = layout.relationships[index].storage,
                let old = row.integerIfAny(slot)
            else { continue }
            let new = key(old, entity: layout.relationships[index].destination)
            if new != old { keys.append((slot, new)) }
        }
        guard !keys.isEmpty else { return nil }
        let copy = RowBuilder(copying: row)
        for (slot, key) in keys { copy.write(integer: key, slot) }
        return copy.build()
    }
}
