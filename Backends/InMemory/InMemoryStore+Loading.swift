public import CofferStorage
public import Foundation

extension InMemoryStore {
    /// Makes the content, and publishes it when it is complete.
    public func load(
        _ layout: ModelLayout, as store: UUID, filling fill: (any StorageLoader) throws(StorageError) -> Void,
        verifying verify: (any StorageReader) throws(StorageError) -> Void
    ) throws(StorageError) {
        try whileEmpty { () throws(StorageError) in
            let loader = InMemoryLoader(layout)
            try fill(loader)
            let content = try loader.content(StoreMetadata(store: store, model: layout.model))
            try verify(InMemoryReader(content.snapshot))
            return content
        }
    }
}

/// Takes the rows and links of a store that is being made.
final class InMemoryLoader: StorageLoader {
    private let empty: Snapshot
    /// By the root of their tree.
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
            let shape = try empty.check.shape(row.entity)
            try empty.check.row(row, shape)
            self.rows[shape.root].append(row)
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

    /// What was handed over.
    func content(_ metadata: StoreMetadata) throws(StorageError) -> StoreContent {
        var tables = empty.tables
        for root in layout.entities where root.root == root.index {
            guard let plan = empty.plans[root.index], let table = empty.tables[root.index] else { continue }
            let rows = rows[root.index].sorted { $0.key < $1.key }
            let changes = TableChanges(plan, table, insertCount: rows.count, changeCount: 0)
            for row in rows {
                guard changes.insert(row).isEmpty else {
                    throw .uniqueViolation(
                        loading: layout, root: root.index, plan.slots(ofConstraintBrokenBy: row, among: rows))
                }
            }
            tables[root.index] = try changes.applied()
            if let last = rows.last { keys.note([(root.index, last.key)]) }
        }
        return StoreContent(
            metadata: metadata, snapshot: Snapshot(after: empty, tables: tables, links: links), keys: keys)
    }
}

extension TablePlan {
    /// The columns of a constraint in which a row equals another one.
    func slots(ofConstraintBrokenBy row: Row, among rows: [Row]) -> [Int] {
        let broken = uniques.first { unique in
            rows.contains { $0.key != row.key && unique.hash($0) != nil && unique.isEqual($0, row) }
        }
        return broken.map { $0.columns.map(\.slot) } ?? []
    }
}
