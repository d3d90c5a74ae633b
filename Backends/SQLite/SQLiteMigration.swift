import CSQLite
import CofferSQL
import CofferStorage

/// Carries out one step of a migration, within a transaction of its caller's.
///
/// Rows and links pass through one by one: what is in memory does not grow with the file.
struct SQLiteMigration {
    private let connection: SQLiteConnection
    private let statements: SQLMigration
    private let migrator: RowMigrator
    private let schema: SQLiteSchema
    private let links: SQLChanges

    private var target: ModelLayout { statements.migration.target }

    init(_ plan: MigrationPlan, from source: StoreModel, _ connection: SQLiteConnection) throws(StorageError) {
        let migration = try ResolvedMigration(plan, from: try ModelLayout(source))
        let statements = SQLMigration(migration, SQLiteDialect())
        var next: [Int: Int64] = [:]
        for root in migration.source.entities where root.root == root.index {
            next[root.index] = try Self.nextKey(root.name, of: statements.source.tables[root.index], connection)
        }
        self.connection = connection
        self.statements = statements
        migrator = try RowMigrator(migration, nextKeys: next)
        schema = SQLiteSchema(statements.target)
        links = SQLChanges(statements.target, SQLiteDialect())
    }

    func run(_ report: (Double) throws(StorageError) -> Void) throws(StorageError) {
        let asides = statements.rows + statements.links
        for table in asides { try connection.execute(statements.setAside(table)) }
        for root in statements.newRoots { try connection.execute(schema.table(statements.target.tables[root])) }
        let linkTables = statements.newLinks.map { schema.linkTable(statements.target.links[$0]) }
        for creation in linkTables { try connection.execute(creation[0]) }
        var total: Int64 = 0
        for table in asides { total += try connection.text(statements.count(table)).flatMap { Int64($0) } ?? 0 }
        var progress = Progress(total: total)
        for table in statements.rows { try moveRows(table, &progress, report) }
        for table in statements.links { try moveLinks(table, &progress, report) }
        for table in asides { try connection.execute(statements.drop(table)) }
        for cut in statements.cuts { try connection.execute(cut) }
        for creation in linkTables { for index in creation.dropFirst() { try connection.execute(index) } }
        try index()
        try keepKeys()
        try SQLiteSchema.set("model", try SQLMetadata.text(target.model), connection)
        try report(1)
    }

    private struct Progress {
        let total: Int64
        var done: Int64 = 0

        /// Reports every thousandth row.
        mutating func advance(_ report: (Double) throws(StorageError) -> Void) throws(StorageError) {
            done += 1
            if done & 1023 == 0 { try report(Double(done) / Double(total)) }
        }
    }

    private func moveRows(
        _ table: SQLMigration.Aside, _ progress: inout Progress, _ report: (Double) throws(StorageError) -> Void
    ) throws(StorageError) {
        let source = statements.source
        let decoder = SQLiteRowDecoder(source.shapes[table.index], in: source, root: table.index)
        let select = try SQLiteStatement(statements.allRows(table), on: connection)
        var inserts: [Int: SQLiteStatement] = [:]
        while try select.step() {
            let row = try decoder.row(select)
            if let moved = try migrator.row(row) {
                if inserts[moved.entity] == nil { inserts[moved.entity] = try insert(moved.entity) }
                if let insert = inserts[moved.entity] { try write(moved, insert) }
                for link in migrator.links(of: row) { try add(link) }
            }
            try progress.advance(report)
        }
    }

    private func insert(_ entity: Int) throws(StorageError) -> SQLiteStatement {
        let statement = try SQLiteStatement(statements.insert(entity: entity), on: connection)
        if statements.target.tables[entity].hasEntityColumn {
            try statement.bind(target.entities[entity].name, Int32(target.entities[entity].kinds.count + 3))
        }
        return statement
    }

    private func write(_ row: Row, _ insert: SQLiteStatement) throws(StorageError) {
        let kinds = target.entities[row.entity].kinds
        insert.bind(row.key, 1)
        for slot in kinds.indices { try insert.bind(row, slot, kinds[slot], Int32(slot + 2)) }
        insert.bind(row.version, Int32(kinds.count + 2))
        try insert.check(insert.perform())
    }

    private func moveLinks(
        _ table: SQLMigration.Aside, _ progress: inout Progress, _ report: (Double) throws(StorageError) -> Void
    ) throws(StorageError) {
        let columns = statements.source.links[table.index]
        let select = try SQLiteStatement(statements.allLinks(table), on: connection)
        let second: Int32 = columns.firstPosition == nil ? 2 : 3
        while try select.step() {
            let link = ChangeSet.Link(
                table: table.index, first: select.integer(0), second: select.integer(1),
                firstPosition: columns.firstPosition.flatMap { _ in select.position(2) },
                secondPosition: columns.secondPosition.flatMap { _ in select.position(second) }
            )
            for moved in migrator.links(link) { try add(moved) }
            try progress.advance(report)
        }
    }

    private func add(_ link: ChangeSet.Link) throws(StorageError) {
        var link = link
        let table = statements.target.links[link.table]
        if table.isSymmetric, link.first > link.second {
            swap(&link.first, &link.second)
            swap(&link.firstPosition, &link.secondPosition)
        }
        let statement = try connection.statement(links.link(link.table))
        statement.bind(link.first, 1)
        statement.bind(link.second, 2)
        let positions = [(table.firstPosition, link.firstPosition), (table.secondPosition, link.secondPosition)]
        for (place, position) in positions.filter({ $0.0 != nil }).map(\.1).enumerated() {
            if let position {
                statement.bind(position, Int32(place + 3))
            } else {
                statement.bindNull(Int32(place + 3))
            }
        }
        try statement.check(statement.perform())
    }

    // MARK: What is beside the rows

    /// Drops the indexes that the target does not have, and makes those that are missing.
    private func index() throws(StorageError) {
        let wanted = statements.target.indexes
        let names = Set(wanted.map(\.name))
        let select = try SQLiteStatement("SELECT name FROM sqlite_master WHERE type = 'index'", on: connection)
        var stale: [String] = []
        while try select.step() {
            guard let name = select.string(0), !names.contains(name),
                name.hasPrefix(SQLIndex.prefix) || name.hasPrefix(SQLIndex.uniquePrefix)
            else { continue }
            stale.append(name)
        }
        select.reset()
        for name in stale { try connection.execute("DROP INDEX \(SQLiteDialect().quoted(name))") }
        for index in wanted {
            do throws(StorageError) {
                try connection.execute(schema.creation(index))
            } catch {
                throw error.code == .uniqueViolation ? violation(index, error) : error
            }
        }
    }

    /// Says which constraint rows break.
    private func violation(_ index: SQLIndex, _ error: StorageError) -> StorageError {
        guard let number = index.constraint else { return error }
        let slots = target.entities[index.root].uniqueConstraints[number]
        var named = StorageError.uniqueViolation(afterMigrationTo: target, root: index.root, slots)
        named.cause = error.cause
        return named
    }

    private static func nextKey(
        _ root: EntityName, of table: SQLTable, _ connection: SQLiteConnection
    ) throws(StorageError) -> Int64 {
        let select = try SQLiteStatement("SELECT next FROM coffer_keys WHERE root = ?", on: connection)
        try select.bind(root, 1)
        let known = try select.step() ? select.integer(0) : 1
        let highest =
            try connection.text(
                "SELECT MAX(\(SQLTable.key)) FROM \(SQLiteDialect().quoted(table.name))"
            ).flatMap { Int64($0) } ?? 0
        return highest == .max ? .max : max(known, highest + 1)
    }

    private func keepKeys() throws(StorageError) {
        try connection.execute("DELETE FROM coffer_keys")
        for root in target.entities where root.root == root.index {
            let insert = try connection.statement("INSERT INTO coffer_keys (root, next) VALUES (?, ?)")
            try insert.bind(root.name, 1)
            insert.bind(migrator.nextKeys[root.index] ?? 1, 2)
            try insert.check(insert.perform())
        }
    }
}

extension SQLiteStatement {
    /// A column with a position; nil for null.
    func position(_ column: Int32) -> Int64? { type(column) == SQLITE_NULL ? nil : integer(column) }
}
