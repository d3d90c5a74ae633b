import CofferStorage
import CofferStorageTools

/// Collects the rows and links that are loaded into a new in-memory store.
final class InMemoryLoader: StorageLoader {
    private let empty: Snapshot
    /// The added rows, by root entity.
    private var rows: [[Row]]
    private var links: [LinkTable]
    private let keys: KeyCounter

    private var layout: ModelLayout { empty.layout }

    init(_ layout: ModelLayout) {
        empty = Snapshot(layout)
        rows = Array(repeating: [], count: layout.entities.count)
        links = empty.links
        keys = KeyCounter(layout)
    }

    func add(_ rows: [Row]) throws(StorageError) {
        for row in rows {
            let entity = try empty.check.entity(row.entity)
            try empty.check.row(row, entity)
            self.rows[entity.root].append(row)
        }
    }

    func add(_ links: [ChangeSet.Link]) throws(StorageError) {
        for link in links {
            guard layout.linkTables.indices.contains(link.table) else { throw .noLinkTable(link.table) }
            self.links[link.table].add(link)
            let table = layout.linkTables[link.table]
            guard table.first == table.second else { continue }
            self.links[link.table].add(
                .init(
                    table: link.table, first: link.second, second: link.first, firstPosition: link.secondPosition,
                    secondPosition: link.firstPosition))
        }
    }

    func continueKeys(at next: Int64, root: Int) throws(StorageError) {
        keys.note([(root, next == .max ? next : next - 1)])
    }

    /// Returns the content of the new store, with the added rows and links.
    func content(_ metadata: StoreMetadata) throws(StorageError) -> StoreContent {
        let snapshot = try Snapshot(layout, rows: rows, links: links) { root, slots in
            .uniqueViolation(loading: layout, root: root, slots)
        }
        for (root, rows) in rows.enumerated() {
            if let last = rows.lazy.map(\.key).max() { keys.note([(root, last)]) }
        }
        return StoreContent(metadata: metadata, snapshot: snapshot, keys: keys)
    }
}
