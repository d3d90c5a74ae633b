import CofferStorage
import CofferStorageTools

/// Converts the rows and links of a snapshot to the next version of the model.
struct SnapshotMigration {
    private let migrator: RowMigrator
    private let before: Snapshot
    private var migration: ResolvedMigration { migrator.migration }
    private var target: ModelLayout { migrator.migration.target }

    /// The converted rows, by root entity of the target.
    private var rows: [[Row]]
    private var links: [ChangeSet.Link] = []

    init(_ migrator: RowMigrator, from before: Snapshot) {
        self.migrator = migrator
        self.before = before
        rows = Array(repeating: [], count: migrator.migration.target.entities.count)
    }

    mutating func moveRows(_ report: (Double) throws(StorageError) -> Void) throws(StorageError) {
        let roots = before.layout.entities.filter { $0.root == $0.index }.map(\.index)
        let total = roots.reduce(0) { $0 + (before.tables[$1]?.rows.count ?? 0) }
        var done = 0
        var failure: StorageError?
        for root in roots {
            before.forEachRow(root: root) { row in
                do throws(StorageError) {
                    if let moved = try migrator.row(row) {
                        rows[target.entities[moved.entity].root].append(moved)
                        links += migrator.links(of: row)
                    }
                    done += 1
                    if done % 1024 == 0 { try report(Double(done) / Double(total)) }
                } catch {
                    failure = error
                }
                return failure == nil
            }
            if let failure { throw failure }
        }
    }

    mutating func moveLinks() {
        for table in before.layout.linkTables {
            before.links[table.index].forEachLink(of: table.index) { links += migrator.links($0) }
        }
    }

    /// Clears references, and removes links, to rows that do not exist in the destination entity.
    mutating func cutLooseEnds() {
        for relationship in migration.doubtfulReferences.map({ target.relationships[$0] }) {
            guard case .reference(let slot, let positionSlot) = relationship.storage else { continue }
            let keys = keys(of: relationship.destination)
            let root = target.entities[relationship.owner].root
            for (place, row) in rows[root].enumerated()
            where target.entity(row.entity, isKindOf: relationship.owner) && !row.isNull(slot) {
                if keys.contains(row.integer(slot)) { continue }
                let copy = RowBuilder(copying: row)
                copy.writeNull(slot)
                if let positionSlot { copy.writeNull(positionSlot) }
                rows[root][place] = copy.build()
            }
        }
        for table in migration.doubtfulLinks.map({ target.linkTables[$0] }) {
            let first = keys(of: target.relationships[table.second].destination)
            let second = keys(of: target.relationships[table.first].destination)
            links.removeAll {
                $0.table == table.index && !(first.contains($0.first) && second.contains($0.second))
            }
        }
    }

    private func keys(of entity: Int) -> Set<Int64> {
        Set(rows[target.entities[entity].root].lazy.filter { target.entity($0.entity, isKindOf: entity) }.map(\.key))
    }

    func snapshot() throws(StorageError) -> Snapshot {
        var tables = target.linkTables.map(LinkTable.init)
        for link in links { tables[link.table].add(link) }
        return try Snapshot(target, rows: rows, links: tables) { root, slots in
            .uniqueViolation(afterMigrationTo: target, root: root, slots)
        }
    }
}
