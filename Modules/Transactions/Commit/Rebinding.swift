import CofferSchema
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
        self.init(record.store, record.merges, record.refreshed, layout)
    }

    init(_ store: OpenStore, _ result: CommitResult, _ layout: ModelLayout) {
        self.init(store, result.merges, result.refreshed, layout)
    }

    private init(_ store: OpenStore, _ merges: [CommitResult.Merge], _ rows: [Row], _ layout: ModelLayout) {
        self.store = store
        self.layout = layout
        refreshed = rows
        guard !merges.isEmpty else { return }
        let rows = Dictionary(
            rows.map { (ObjectID(storage: store.keySpaces[$0.entity], key: $0.key), $0) },
            uniquingKeysWith: { _, last in last })
        for merge in merges {
            let space = store.keySpaces[merge.root]
            guard let row = rows[ObjectID(storage: space, key: merge.into)] else { continue }
            self.merges[ObjectID(storage: space, key: merge.from)] = (row, merge.isKept)
        }
    }

    /// The id of the row that stands for another; otherwise the same id.
    func id(_ id: ObjectID) -> ObjectID {
        guard let row = merges[id]?.row else { return id }
        return ObjectID(storage: id.storage, key: row.key)
    }

    /// The same for the key of a row of an entity.
    func key(_ key: Int64, entity: Int) -> Int64 { id(ObjectID(storage: store.keySpaces[entity], key: key)).key }

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
            guard case .reference(let slot, _) = layout.relationships[index].storage, !row.isNull(slot) else {
                continue
            }
            let old = row.integer(slot)
            let new = key(old, entity: layout.relationships[index].destination)
            if new != old { keys.append((slot, new)) }
        }
        guard !keys.isEmpty else { return nil }
        let copy = RowBuilder(copying: row)
        for (slot, key) in keys { copy.write(integer: key, slot) }
        return copy.build()
    }
}
