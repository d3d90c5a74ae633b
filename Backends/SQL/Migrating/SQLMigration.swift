public import CofferStorage
public import CofferStorageTools

/// The SQL statements of a migration step from one version of a model to another.
///
/// A step renames each changed table, creates it again, fills it, and drops the renamed table. Other tables stay
/// unchanged, so the cost of a step depends only on the changed tables. All statements run in one transaction of the
/// database.
public struct SQLMigration: Sendable {
    /// A table that is renamed.
    public struct RenamedTable: Sendable {
        /// The index of the root entity, or of the table of links, in the source.
        public let index: Int
        /// The name before the renaming.
        public let name: String
        /// The temporary name, until the table is dropped.
        public let temporaryName: String
    }

    /// The migration.
    public let migration: ResolvedMigration
    /// The tables of the old model.
    public let source: SQLSchema
    /// The tables of the new model.
    public let target: SQLSchema
    /// The tables of rows that are renamed.
    let rows: [RenamedTable]
    /// The tables of links that are renamed.
    let links: [RenamedTable]
    /// The root entities of the target whose tables the step creates.
    let newRoots: [Int]
    /// The link tables of the target that the step creates.
    let newLinks: [Int]

    /// The names of the target's indexes that already exist on the same columns.
    let keptIndexes: Set<String>
    let dialect: any SQLDialect

    /// Creates the statements of a migration for a dialect, and for a database with rules for names.
    public init(_ migration: ResolvedMigration, _ dialect: any SQLDialect, naming: SQLNaming = SQLNaming()) {
        let source = SQLSchema(migration.source, naming: naming)
        let target = SQLSchema(migration.target, naming: naming)
        self.migration = migration
        self.source = source
        self.target = target
        self.dialect = dialect
        let comparison = SQLMigrationComparison(migration: migration, source: source, target: target)
        let keptRoots = comparison.keptRoots
        let keptLinks = comparison.keptLinks
        keptIndexes = comparison.keptIndexes(keptRoots)
        rows = source.roots.map(\.index).filter { keptRoots[$0] == nil }.map {
            RenamedTable(index: $0, name: source.tables[$0].name, temporaryName: "coffer_aside_\($0)")
        }
        links = source.links.indices.filter { keptLinks[$0] == nil }.map {
            RenamedTable(index: $0, name: source.links[$0].name, temporaryName: "coffer_aside_link_\($0)")
        }
        newRoots = target.roots.map(\.index).filter { !keptRoots.values.contains($0) }
        newLinks = target.links.indices.filter { !keptLinks.values.contains($0) }
    }

    /// Whether another process has already migrated a store through some steps.
    public static func isDone(_ steps: [MigrationPlan], in model: StoreModel) -> Bool {
        steps.first.map { !model.isCompatible(with: $0.source) } ?? false
            && steps.last.map { model.isCompatible(with: $0.target) } ?? false
    }

    /// Runs some steps within a transaction.
    ///
    /// - Precondition: ``isDone(_:in:)`` is false.
    /// - Parameters:
    ///   - model: the model of the store.
    ///   - database: the database in which each step runs.
    /// - Returns: the model of the store after the steps.
    public static func run<Database: SQLMigrationDatabase>(
        _ steps: [MigrationPlan], from model: StoreModel, _ dialect: any SQLDialect, naming: SQLNaming = SQLNaming(),
        in database: (SQLMigration) -> Database, report: (MigrationReport) throws(StorageError) -> Void
    ) throws(StorageError) -> StoreModel {
        var model = model
        for (index, step) in steps.enumerated() {
            let resolved = try ResolvedMigration(step, from: try ModelLayout(model))
            let statements = SQLMigration(resolved, dialect, naming: naming)
            try SQLMigrationStep(statements, database(statements)).run { fraction throws(StorageError) in
                try report(MigrationReport(step: index, fraction: fraction))
            }
            model = step.target
        }
        return model
    }

    /// Returns the statement that gives a table its temporary name.
    func rename(_ table: RenamedTable) -> String {
        "ALTER TABLE \(dialect.quoted(table.name)) RENAME TO \(dialect.quoted(table.temporaryName))"
    }

    /// Returns the statement that drops a renamed table.
    func drop(_ table: RenamedTable) -> String { "DROP TABLE \(dialect.quoted(table.temporaryName))" }

    /// Returns the statement that counts the rows or links of a renamed table.
    func count(_ table: RenamedTable) -> String {
        "SELECT CAST(COUNT(*) AS TEXT) FROM \(dialect.quoted(table.temporaryName))"
    }

    /// Returns the statement for all rows of a renamed table, in the shape of the source's ``SQLSchema/shapes``.
    public func allRows(_ table: RenamedTable) -> String {
        let columns = source.shapes[table.index].columnNames.map(dialect.quoted).joined(separator: ", ")
        return "SELECT \(columns) FROM \(dialect.quoted(table.temporaryName)) ORDER BY \(dialect.quoted(SQLTable.key))"
    }

    /// Returns the statement for all links of a renamed table, in the columns of ``SQLLinkTable/columnNames``.
    public func allLinks(_ table: RenamedTable) -> String {
        let columns = source.links[table.index].columnNames.map(dialect.quoted).joined(separator: ", ")
        return "SELECT \(columns) FROM \(dialect.quoted(table.temporaryName))"
    }

    /// Returns a link of a renamed table.
    ///
    /// - Parameter value: returns the number in a column of ``allLinks(_:)``; nil for null.
    public func link(_ table: RenamedTable, _ value: (Int) -> Int64?) -> ChangeSet.Link {
        source.links[table.index].link(table.index, value)
    }

    /// Returns the statement that adds a row of the target.
    ///
    /// Its values are the key, the slots in order, the version, and the entity's name if there is a column for it.
    public func insert(entity: Int) -> String { SQLBulkStatements(target, dialect).insert(entity: entity) }

    /// The statements that clear references, and delete links, to rows that do not exist in the destination entity.
    var cuts: [String] { migration.doubtfulReferences.compactMap(cut) + migration.doubtfulLinks.map(cutLinks) }

    private func cut(_ relationship: Int) -> String? {
        let reference = migration.target.relationships[relationship]
        guard case .reference(let slot, let positionSlot) = reference.storage,
            let column = target.column(slot, of: reference.owner)
        else { return nil }
        let position = positionSlot.flatMap { target.column($0, of: reference.owner) }
        let sets = [column, position].compactMap(\.self).map { "\(dialect.quoted($0.name)) = NULL" }
        let table = dialect.quoted(target.tables[reference.owner].name)
        return
            "UPDATE \(table) SET \(sets.joined(separator: ", ")) WHERE \(dialect.quoted(column.name)) IS NOT NULL AND "
            + "\(dialect.quoted(column.name)) NOT IN (\(keys(of: reference.destination)))"
    }

    private func cutLinks(_ table: Int) -> String {
        let (link, layout) = (target.links[table], migration.target.linkTables[table])
        let first = keys(of: migration.target.relationships[layout.second].destination)
        let second = keys(of: migration.target.relationships[layout.first].destination)
        return "DELETE FROM \(dialect.quoted(link.name)) WHERE \(dialect.quoted(link.first)) NOT IN (\(first)) OR "
            + "\(dialect.quoted(link.second)) NOT IN (\(second))"
    }

    /// Returns the query for the keys of the rows of an entity and its sub-entities.
    private func keys(of entity: Int) -> String {
        let table = target.tables[entity]
        let all = "SELECT \(dialect.quoted(SQLTable.key)) FROM \(dialect.quoted(table.name))"
        guard table.hasEntityColumn, table.root != entity else { return all }
        let names = migration.target.entities[entity].descendants.map {
            migration.target.entities[$0].name.quoted(by: "'")
        }
        return all + " WHERE \(dialect.quoted(SQLTable.entity)) IN (\(names.joined(separator: ", ")))"
    }
}
