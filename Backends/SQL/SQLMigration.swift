public import CofferStorage

/// A step from one version of a model to another, in statements.
///
/// Tables that change are set aside under another name, made anew, filled, and dropped. Those that do not are left
/// alone, so that a step costs what it changes. All of it happens in one transaction of the database.
public struct SQLMigration: Sendable {
    /// A table that is set aside.
    public struct Aside: Sendable {
        /// The index of the root entity, or of the table of links, in the source.
        public let index: Int
        /// The name before.
        public let name: String
        /// The name until it is dropped.
        public let temporaryName: String
    }

    /// The migration.
    public let migration: ResolvedMigration
    /// The tables before.
    public let source: SQLSchema
    /// The tables after.
    public let target: SQLSchema
    /// The tables of rows that are set aside.
    public let rows: [Aside]
    /// The tables of links that are set aside.
    public let links: [Aside]
    /// The roots of the target whose tables are made anew.
    public let newRoots: [Int]
    /// The target's tables of links that are made anew.
    public let newLinks: [Int]

    private let dialect: any SQLDialect

    /// The statements of a migration in a dialect.
    public init(_ migration: ResolvedMigration, _ dialect: any SQLDialect) {
        let (source, target) = (SQLSchema(migration.source), SQLSchema(migration.target))
        self.migration = migration
        self.source = source
        self.target = target
        self.dialect = dialect
        let comparison = SQLMigrationComparison(migration, source, target)
        let keptRoots = comparison.keptRoots
        let keptLinks = comparison.keptLinks
        let roots = { (layout: ModelLayout) in layout.entities.filter { $0.root == $0.index }.map(\.index) }
        rows = roots(migration.source).filter { keptRoots[$0] == nil }.map {
            Aside(index: $0, name: source.tables[$0].name, temporaryName: "coffer_aside_\($0)")
        }
        links = source.links.indices.filter { keptLinks[$0] == nil }.map {
            Aside(index: $0, name: source.links[$0].name, temporaryName: "coffer_aside_link_\($0)")
        }
        newRoots = roots(migration.target).filter { !keptRoots.values.contains($0) }
        newLinks = target.links.indices.filter { !keptLinks.values.contains($0) }
    }

    /// Gives a table its temporary name.
    public func setAside(_ table: Aside) -> String {
        "ALTER TABLE \(dialect.quoted(table.name)) RENAME TO \(dialect.quoted(table.temporaryName))"
    }

    /// Drops a table that was set aside.
    public func drop(_ table: Aside) -> String { "DROP TABLE \(dialect.quoted(table.temporaryName))" }

    /// How many rows or links a table that was set aside has.
    public func count(_ table: Aside) -> String { "SELECT COUNT(*) FROM \(dialect.quoted(table.temporaryName))" }

    /// All rows of a table that was set aside, in the shape of the source's ``SQLSchema/shapes``.
    public func allRows(_ table: Aside) -> String {
        let columns = source.shapes[table.index].columnNames.map(dialect.quoted).joined(separator: ", ")
        return "SELECT \(columns) FROM \(dialect.quoted(table.temporaryName)) ORDER BY \(dialect.quoted(SQLTable.key))"
    }

    /// All links of a table that was set aside: first, second, then the positions of the ordered sides.
    public func allLinks(_ table: Aside) -> String {
        let link = source.links[table.index]
        let positions = [link.firstPosition, link.secondPosition].compactMap(\.self)
        let columns = ([link.first, link.second] + positions).map(dialect.quoted).joined(separator: ", ")
        return "SELECT \(columns) FROM \(dialect.quoted(table.temporaryName))"
    }

    /// Adds a row of the target: its key, its slots in order, the version, then the entity's name where there is a
    /// column for it.
    public func insert(entity: Int) -> String { SQLLoading(target, dialect).insert(entity: entity) }

    /// Makes references null, and removes links, that lead to no row of their destination.
    public var cuts: [String] { migration.doubtfulReferences.compactMap(cut) + migration.doubtfulLinks.map(cutLinks) }

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

    /// The keys of the rows of an entity and its sub-entities.
    private func keys(of entity: Int) -> String {
        let table = target.tables[entity]
        let all = "SELECT \(dialect.quoted(SQLTable.key)) FROM \(dialect.quoted(table.name))"
        guard table.hasEntityColumn, table.root != entity else { return all }
        let names = migration.target.entities[entity].descendants.map {
            "'"
                + migration.target.entities[$0].name.split(separator: "'", omittingEmptySubsequences: false)
                .joined(separator: "''") + "'"
        }
        return all + " WHERE \(dialect.quoted(SQLTable.entity)) IN (\(names.joined(separator: ", ")))"
    }
}
