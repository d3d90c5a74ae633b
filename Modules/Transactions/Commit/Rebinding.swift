import CofferStorage

/// The merges of a commit in one store: maps the ids of merged rows to the ids of the surviving rows.
struct Rebinding {
    let store: OpenStore
    private let layout: ModelLayout
    /// By the id that was inserted.
    private(set) var merges: [ObjectID: (row: Row, isKept: Bool)] = [:]
    /// The rows as they are now that the store made into something else than it was handed.
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

    /// The id of the row that stands for another; otherwise the same id.
    func id(_ id: ObjectID) -> ObjectID {
        guard let row = merges[id]?.row else { return id }
        return ObjectID(storage: id.storage, key: row.key)
    }

    /// The same for the key of a row of an entity.
    func key(_ key: Int64, entity: Int) -> Int64 { id(store.id(key, of: entity)).key }

    /// A link between the rows that exist.
    func link(_ link: ChangeSet.Link) -> ChangeSet.Link {
        guard !merges.isEmpty else { return link }
        let table = layout.linkTables[link.table]
        var link = link
        link.first = key(link.first, entity: layout.relationships[table.first].owner)
        link.second = key(link.second, entity: layout.relationships[table.second].owner)
        return link
    }

    /// A row of the store with references to rows that exist; the same row if its references are right.
    func row(_ row: Row) -> Row { redirected(row) ?? row }

    /// The same; nil where they did.
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
