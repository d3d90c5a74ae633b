import CofferSQL
import CofferStorage
import CofferStorageTools
import Foundation

/// Saves commits: repeats transactions, locks rows, updates and deletes in batches, and limits the size of a row.
///
/// Deletes come first and inserts last, so that a new row can take a unique value that another row gives up. Each kind
/// of change to each table is one statement, however many rows it changes.
final class PostgreSQLWriter {
    private(set) var connection: PostgreSQLConnection
    let database: PostgreSQLDatabase
    private let metadata: StoreMetadata
    let tables: PostgreSQLTables
    let schema: SQLSchema
    let batches: PostgreSQLBatches
    /// The maximum number of repetitions of a commit that the server rolled back because of other writers.
    private let repetitionLimit: Int
    private let linkSides: [[(table: Int, isFirst: Bool)]]
    /// The maximum number of rows and links that are sent at once.
    static let batchSize = 65_536
    /// The bytes of strings and blobs after which no further row is sent at once; the server accepts a gibibyte.
    private static let batchBytes = 1 << 22

    var layout: ModelLayout { schema.layout }

    init(_ opened: PostgreSQLOpenedDatabase, _ tables: PostgreSQLTables, repetitionLimit: Int) {
        connection = opened.connection
        database = opened.database
        metadata = opened.metadata
        self.tables = tables
        self.repetitionLimit = repetitionLimit
        let schema = tables.schema
        self.schema = schema
        batches = PostgreSQLBatches(schema: schema)
        linkSides = schema.layout.entities.map { schema.linkSides(of: $0.index) }
    }

    // MARK: Transactions

    /// Runs the body in a transaction, which is rolled back if the body throws an error.
    ///
    /// If the server rolled back the transaction because of other writers, the body runs again. It must do the same
    /// each time.
    func transaction<Success>(_ body: () throws(StorageError) -> Success) throws(StorageError) -> Success {
        var repetitions = 0
        var wasLost = false
        while true {
            try begin()
            do throws(StorageError) {
                let result = try body()
                try connection.commit()
                return result
            } catch {
                if connection.isLostAtFirst, !wasLost {
                    wasLost = true
                    continue
                }
                connection.rollBack()
                guard connection.lastFailure?.isSerialization == true, repetitions < repetitionLimit
                else { throw error }
                Thread.sleep(forTimeInterval: Double.random(in: 0.5...1) * 0.01 * Double(1 << min(repetitions, 6)))
                repetitions += 1
            }
        }
    }

    /// Begins a transaction; reconnects if the connection was lost, because nothing was done yet.
    private func begin() throws(StorageError) {
        connection.rollBack()
        do throws(StorageError) {
            try connection.beginWithFirstStatement()
        } catch {
            guard !connection.isUsable else { throw error }
            connection = try database.reconnect(metadata)
            try connection.begin()
        }
    }

    /// - Throws: `conflict`, `uniqueViolation`, `busy`, `full` or another error if nothing was changed;
    ///   `unknownOutcome` if it is unknown whether the changes were saved.
    func commit(_ changes: ChangeSet) throws(StorageError) -> CommitResult {
        if changes.isEmpty { return CommitResult() }
        for insert in changes.inserts { try checkSize(of: insert.row) }
        for update in changes.updates { try checkSize(of: update.row) }
        if let result = try insertAlone(changes) { return result }
        return try transaction { () throws(StorageError) in
            if !changes.conditions.isEmpty {
                try lock(changes.guarded(layout))
                try changes.checkConditions(reader(), layout)
            }
            var result = CommitResult()
            try delete(changes.deletes)
            let refreshed = try update(changes.updates)
            try insert(changes, into: &result)
            try refresh(refreshed, into: &result)
            try unlink(changes.unlinks, result.merges)
            let links = try changes.links(after: result.merges, in: layout) {
                relationship, owners throws(StorageError) in
                try reader().members(relationship, of: owners)
            }
            try batches.add(links.map { schema.canonical($0, []) }, on: connection)
            try batches.move(changes.moves.map { schema.canonical($0, result.merges) }, on: connection)
            return result
        }
    }

    /// Returns a reader inside the current transaction.
    private func reader() -> PostgreSQLReader { PostgreSQLReader(tables, within: connection) }

    /// Keeps other writers away until the transaction ends.
    ///
    /// Each later statement sees the commits of these writers. All transactions lock in the same order, and whole
    /// tables before rows. A transaction that has locked a row therefore never waits for the table of the row.
    private func lock(_ guarded: ChangeSet.Guarded) throws(StorageError) {
        var modes: [String: String] = [:]
        for root in guarded.trees { modes[schema.tables[root].name] = "SHARE ROW EXCLUSIVE" }
        for link in guarded.links { modes[schema.links[link].name] = "SHARE ROW EXCLUSIVE" }
        for (root, _) in guarded.rows { modes[schema.tables[root].name] = "ROW EXCLUSIVE" }
        let locks = modes.sorted { $0.key < $1.key }.map { name, mode in
            "LOCK TABLE \(batches.dialect.quoted(name)) IN \(mode) MODE"
        }
        if !locks.isEmpty { try connection.execute(locks.joined(separator: "; ")) }
        for (root, keys) in guarded.rows { try run(batches.lock(entity: root), keys) }
    }

    // MARK: Rows

    private func delete(_ deletes: [ChangeSet.Delete]) throws(StorageError) {
        for (entity, deletes) in deletes.grouped(by: \.entity) {
            let keys = deletes.map(\.key)
            try run(batches.delete(entity: entity), keys)
            for side in linkSides[entity] { try run(batches.unlinkAll(side.table, isFirst: side.isFirst), keys) }
        }
    }

    /// Checks that a row fits into a message of the protocol, which has less than a gibibyte.
    private func checkSize(of row: Row) throws(StorageError) {
        guard row.tailSize > 1_000_000_000 else { return }
        throw StorageError(
            .invalidValue,
            "'\(layout.entities[row.entity].name)' \(row.key) is too large for '\(connection.address.name)'. Keep the "
                + "strings and binary data of an object under a gigabyte.")
    }

    /// Returns the first rows, as many as are sent at once.
    static func batch(_ rows: ArraySlice<Row>) -> ArraySlice<Row> {
        var size = 0
        let end = rows.prefix(batchSize).firstIndex { row in
            defer { size += row.tailSize }
            return size >= batchBytes
        }
        return end.map { rows[..<$0] } ?? rows.prefix(batchSize)
    }

    /// Runs a statement whose only value is an array of keys.
    func run(_ text: String, _ keys: [Int64]) throws(StorageError) {
        _ = try connection.query(text, PostgreSQLParameters(keys: keys))
    }

    /// - Returns: the rows that another writer has also changed.
    private func update(_ updates: [ChangeSet.Update]) throws(StorageError) -> [SQLRowKey] {
        guard updates.contains(where: { !schema.tables[$0.row.entity].uniqueColumns($0).isEmpty }) else {
            return try write(updates)
        }
        do throws(StorageError) {
            return try connection.savepoint { () throws(StorageError) in try write(updates) }
        } catch {
            guard error.code == .uniqueViolation, connection.lastFailure?.state == "23505" else { throw error }
        }
        // Another of these rows may still have the new values of a row, so the old values of all rows are cleared
        // first.
        for (shape, updates) in updates.grouped(by: { Shape(entity: $0.row.entity, columns: $0.columns) }) {
            let columns = updates.first.map(schema.tables[shape.entity].uniqueColumns) ?? []
            guard !columns.isEmpty else { continue }
            try run(batches.clear(entity: shape.entity, columns: columns), updates.map(\.row.key))
        }
        return try naming { () throws(StorageError) in try write(updates) }
    }

    private struct Shape: Hashable {
        let entity: Int
        let columns: ColumnSet
    }

    private func write(_ updates: [ChangeSet.Update]) throws(StorageError) -> [SQLRowKey] {
        var refreshed: [SQLRowKey] = []
        var written: Set<SQLRowKey> = []
        for (shape, updates) in updates.grouped(by: { Shape(entity: $0.row.entity, columns: $0.columns) }) {
            let slots = shape.columns.slots.filter { $0 < layout.entities[shape.entity].kinds.count }
            let root = layout.entities[shape.entity].root
            var rest = updates.map(\.row)[...]
            while !rest.isEmpty {
                let rows = Self.batch(rest)
                rest = rest.dropFirst(rows.count)
                var versions = try write(rows, slots, shape.entity)
                for row in rows {
                    // A row may occur twice, but one statement writes it only once.
                    if !written.insert(SQLRowKey(root: root, key: row.key)).inserted {
                        versions[row.key] = try write([row], slots, shape.entity)[row.key]
                    }
                    guard let version = versions[row.key] else { throw schema.conflict(shape.entity, row.key) }
                    if version != row.version + 1 { refreshed.append(SQLRowKey(root: root, key: row.key)) }
                }
            }
        }
        return refreshed
    }

    /// - Returns: the new versions of the existing rows, by their keys.
    private func write(
        _ rows: some Collection<Row>, _ slots: [Int], _ entity: Int
    ) throws(StorageError) -> [Int64: Int64] {
        let kinds = layout.entities[entity].kinds
        var parameters = PostgreSQLParameters(keys: rows.map(\.key))
        for slot in slots { parameters.append(slot, kinds[slot], of: rows) }
        let result = try connection.query(batches.update(entity: entity, slots: slots), parameters)
        return Dictionary(
            (0..<result.rowCount).map { (result.integer($0, 0), result.integer($0, 1)) },
            uniquingKeysWith: { _, last in last })
    }

    /// Reports the rows that differ from the change set, each of them once.
    private func refresh(_ keys: [SQLRowKey], into result: inout CommitResult) throws(StorageError) {
        let known = Set(result.refreshed.map { SQLRowKey(root: layout.entities[$0.entity].root, key: $0.key) })
        for (root, keys) in Array(Set(keys).subtracting(known)).grouped(by: \.root) {
            result.refreshed += try rows(root, keys.map(\.key).sorted())
        }
    }

    /// Returns the rows with some keys in this transaction.
    func rows(_ root: Int, _ keys: [Int64]) throws(StorageError) -> [Row] {
        let result = try connection.query(tables.rowTexts[root], PostgreSQLParameters(keys: keys))
        var rows: [Row] = []
        try tables.decoders[root].forEachRow(result) { rows.append($0) }
        return rows
    }

    /// Runs the body; if a row breaks a constraint, the error names this constraint.
    func naming<Success>(_ body: () throws(StorageError) -> Success) throws(StorageError) -> Success {
        do throws(StorageError) {
            return try body()
        } catch {
            guard error.code == .uniqueViolation, let name = connection.lastFailure?.constraint,
                let index = schema.indexes.first(where: { $0.name == name }), let constraint = index.constraint
            else { throw error }
            var named = schema.uniqueViolation(index.root, constraints: [constraint])
            named.cause = error.cause
            throw named
        }
    }

    // MARK: Links

    private func unlink(
        _ links: [ChangeSet.Link], _ merges: [CommitResult.Merge]
    ) throws(StorageError) {
        for (table, links) in links.map({ schema.canonical($0, merges) }).grouped(by: \.table) {
            let parameters = PostgreSQLParameters(keys: links.map(\.first), links.map(\.second))
            _ = try connection.query(batches.unlink(table), parameters)
        }
    }
}
