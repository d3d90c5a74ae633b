import CofferStorage

/// Fills the tables of a new store with rows, and checks the unique constraints.
extension Snapshot {
    /// Creates a store with rows and links, before its first commit.
    ///
    /// - Parameters:
    ///   - rows: the rows by root entity, in any order.
    ///   - violation: returns the error for rows that break a unique constraint of a root entity on some slots.
    convenience init(
        _ layout: ModelLayout, rows: [[Row]], links: [LinkTable]? = nil,
        orThrow violation: (_ root: Int, _ slots: [Int]) -> StorageError
    ) throws(StorageError) {
        let empty = Snapshot(layout)
        var tables = empty.tables
        for plan in empty.plans.compactMap(\.self) {
            guard let table = empty.tables[plan.root] else { continue }
            let rows = rows[plan.root].sorted { $0.key < $1.key }
            let changes = TableChanges(plan, table, insertCount: rows.count, changeCount: 0)
            for row in rows where !changes.insert(row).isEmpty {
                throw violation(plan.root, plan.slots(ofConstraintBrokenBy: row, among: rows))
            }
            tables[plan.root] = try changes.applied()
        }
        self.init(after: empty, tables: tables, links: links ?? empty.links)
    }
}
