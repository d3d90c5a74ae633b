import CofferStorage
import CofferStorageTools

/// Runs one migration step in a transaction: renames, creates, fills and drops tables.
struct SQLMigrationStep<Database: SQLMigrationDatabase> {
    private let statements: SQLMigration
    private let database: Database
    private let migrator: RowMigrator

    private var dialect: any SQLDialect { statements.dialect }

    init(_ statements: SQLMigration, _ database: Database) throws(StorageError) {
        self.statements = statements
        self.database = database
        var next: [Int: Int64] = [:]
        for root in statements.source.roots {
            next[root.index] = try Self.nextKey(root, statements, database)
        }
        migrator = try RowMigrator(statements.migration, nextKeys: next)
    }

    private static func nextKey(
        _ root: EntityLayout, _ statements: SQLMigration, _ database: Database
    ) throws(StorageError) -> Int64 {
        func integer(_ text: String, _ values: [Value] = []) throws(StorageError) -> Int64? {
            try database.texts(text, values).first.flatMap { Int64($0) }
        }
        let kept =
            "SELECT CAST(next AS TEXT) FROM \(SQLMetadata.keys) WHERE root = \(statements.dialect.placeholder(0))"
        let known = try integer(kept, [.text(root.name)]) ?? 1
        let table = statements.dialect.quoted(statements.source.tables[root.index].name)
        let highest = try integer("SELECT CAST(MAX(\(SQLTable.key)) AS TEXT) FROM \(table)") ?? 0
        return highest == .max ? .max : max(known, highest + 1)
    }

    func run(_ report: (Double) throws(StorageError) -> Void) throws(StorageError) {
        let renamed = statements.rows + statements.links
        for table in renamed { try database.execute(statements.rename(table), []) }
        for root in statements.newRoots {
            try database.execute(database.definition.table(statements.target.tables[root]), [])
        }
        let linkTables = statements.newLinks.map { database.definition.linkTable(statements.target.links[$0]) }
        for creation in linkTables { try database.execute(creation[0], []) }
        try move(report)
        for table in renamed { try database.execute(statements.drop(table), []) }
        for cut in statements.cuts { try database.execute(cut, []) }
        for creation in linkTables { for index in creation.dropFirst() { try database.execute(index, []) } }
        try index()
        try analyze()
        try keepKeys()
        try keepModel()
        try report(1)
    }

    // MARK: Rows and links

    private func move(_ report: (Double) throws(StorageError) -> Void) throws(StorageError) {
        var total: Int64 = 0
        for table in statements.rows + statements.links {
            total += try database.texts(statements.count(table), []).first.flatMap { Int64($0) } ?? 0
        }
        var done: Int64 = 0
        func advance() throws(StorageError) {
            done += 1
            if done & 1023 == 0 { try report(Double(done) / Double(total)) }
        }
        for table in statements.rows {
            try database.forEachRow(table) { row throws(StorageError) in
                if let moved = try migrator.row(row) {
                    try database.insert(moved)
                    for link in migrator.links(of: row) { try insert(link) }
                }
                try advance()
            }
            try database.flush()
        }
        for table in statements.links {
            try database.forEachLink(table) { link throws(StorageError) in
                for moved in migrator.links(link) { try insert(moved) }
                try advance()
            }
            try database.flush()
        }
    }

    private func insert(_ link: ChangeSet.Link) throws(StorageError) {
        try database.insert(statements.target.canonical(link, []))
    }

    // MARK: Indexes, statistics and metadata

    /// Drops the indexes that the target does not have, and creates the missing indexes.
    private func index() throws(StorageError) {
        let kept = statements.keptIndexes
        for name in try database.texts(database.indexNames, [])
        where !kept.contains(name) && (name.hasPrefix(SQLIndex.prefix) || name.hasPrefix(SQLIndex.uniquePrefix)) {
            try database.execute("DROP INDEX \(dialect.quoted(name))", [])
        }
        let target = statements.migration.target
        try database.definition.makeIndexes { text throws(StorageError) in
            try database.execute(text, [])
        } orThrow: { root, slots in
            .uniqueViolation(afterMigrationTo: target, root: root, slots)
        }
    }

    /// Collects statistics of the large new tables for the query plans of the database.
    private func analyze() throws(StorageError) {
        let target = statements.target
        let names =
            statements.newRoots.map { target.tables[$0].name } + statements.newLinks.map { target.links[$0].name }
        for table in names.map(dialect.quoted) where try !database.texts(SQLGrowth.probe(table), []).isEmpty {
            try database.execute("ANALYZE \(table)", [])
        }
    }

    private func keepKeys() throws(StorageError) {
        try database.execute("DELETE FROM \(SQLMetadata.keys)", [])
        let insert =
            "INSERT INTO \(SQLMetadata.keys) (root, next) VALUES (\(dialect.placeholder(0)), \(dialect.placeholder(1)))"
        for root in statements.target.roots {
            try database.execute(insert, [.text(root.name), .integer(migrator.nextKeys[root.index] ?? 1)])
        }
    }

    private func keepModel() throws(StorageError) {
        let text = try SQLMetadata.text(statements.migration.target.model)
        let update = "UPDATE \(SQLMetadata.table) SET value = \(dialect.placeholder(0)) WHERE name = 'model'"
        try database.execute(update, [.text(text)])
    }
}
