import CofferStorage
import CofferStorageTools

/// Finds the tables, link tables and indexes that a migration step does not change.
struct SQLMigrationComparison {
    let migration: ResolvedMigration
    let source: SQLSchema
    let target: SQLSchema

    /// The root entities of the source with unchanged tables, each with its root entity in the target.
    var keptRoots: [Int: Int] {
        var kept: [Int: Int] = [:]
        for root in migration.source.entities where root.root == root.index {
            let table = source.tables[root.index]
            guard let same = target.tables.first(where: { $0.name == table.name }),
                isSame(table, same), migration.sources(ofTree: same.root).allSatisfy({ $0 == root.index }),
                root.descendants.allSatisfy({ isUnchanged($0, table, same) })
            else { continue }
            kept[root.index] = same.root
        }
        return kept
    }

    private func isSame(_ before: SQLTable, _ after: SQLTable) -> Bool {
        before.hasEntityColumn == after.hasEntityColumn && before.columns.count == after.columns.count
            && Set(before.columns.map { "\($0.kind) \($0.name)" }) == Set(after.columns.map { "\($0.kind) \($0.name)" })
    }

    private func isUnchanged(_ entity: Int, _ before: SQLTable, _ after: SQLTable) -> Bool {
        if migration.source.entities[entity].isAbstract { return true }
        guard let (new, slots) = migration.unchanged(entity), target.tables[new].root == after.root,
            !before.hasEntityColumn
                || migration.source.entities[entity].name == migration.target.entities[new].name,
            !migration.target.entities[new].isAbstract
        else { return false }
        return slots.enumerated().allSatisfy { slot, old in
            source.column(old, of: entity)?.name == target.column(slot, of: new)?.name
        }
    }

    /// Returns the names of the target's indexes that kept tables already have, on the same columns.
    func keptIndexes(_ keptRoots: [Int: Int]) -> Set<String> {
        func columns(_ index: SQLIndex, _ schema: SQLSchema) -> [String] {
            index.columns.map { schema.tables[index.root].columns[$0].name }
        }
        let same = target.indexes.filter { after in
            source.indexes.contains { before in
                before.name == after.name && keptRoots[before.root] == after.root
                    && columns(before, source) == columns(after, target)
            }
        }
        return Set(same.map(\.name))
    }

    /// The unchanged link tables of the source, each with its link table in the target.
    var keptLinks: [Int: Int] {
        var kept: [Int: Int] = [:]
        for (index, before) in source.links.enumerated() {
            guard let (table, isFlipped) = migration.unchangedLinks(index) else { continue }
            let after = target.links[table]
            let sides = isFlipped ? [after.second, after.first] : [after.first, after.second]
            let positions =
                isFlipped ? [after.secondPosition, after.firstPosition] : [after.firstPosition, after.secondPosition]
            guard before.name == after.name, before.isSymmetric == after.isSymmetric,
                [before.first, before.second] == sides, [before.firstPosition, before.secondPosition] == positions
            else { continue }
            kept[index] = table
        }
        return kept
    }
}
