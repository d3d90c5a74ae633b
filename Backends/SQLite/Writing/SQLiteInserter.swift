import CofferSQL
import CofferStorage

/// Inserts the new rows of a commit, or merges them into the rows that have the same unique values.
final class SQLiteInserter {
    private let connection: SQLiteConnection
    private let tables: SQLiteTables
    private let mutations: SQLMutations
    private let merger: SQLiteMerger
    private let bulkInserts: SQLiteBulkInserts
    private var statements: [SQLiteStatement?]
    /// The kinds of the statement's parameters, by the index of an entity, without the key and the entity.
    private let kinds: [[ColumnKind]]
    private let names: [EntityName]

    init(_ connection: SQLiteConnection, _ tables: SQLiteTables, _ mutations: SQLMutations) {
        self.connection = connection
        self.tables = tables
        self.mutations = mutations
        merger = SQLiteMerger(connection, tables, mutations)
        bulkInserts = SQLiteBulkInserts(connection, tables.schema)
        let entities = tables.layout.entities
        statements = Array(repeating: nil, count: entities.count)
        kinds = entities.map(\.kinds)
        names = entities.map(\.name)
    }

    /// Inserts many rows at once until a row must be merged, and then inserts or merges the other rows one by one.
    ///
    /// While many rows are merged, parts of the rows are first divided into rows to insert and rows to merge.
    func insert(_ changes: ChangeSet, into result: inout CommitResult) throws(StorageError) {
        guard !changes.inserts.isEmpty else { return }
        var merged = SQLMergedRows(tables.layout)
        var search = SQLiteHolderSearch(connection: connection, tables: tables, source: bulkInserts.table)
        var isSorted = true
        var rest = changes.inserts[...]
        while let first = rest.first?.row {
            let holders = try search.holders(of: rest)
            if !holders.isEmpty {
                if try !insert(rest, holders, changes, into: &merged) { isSorted = false }
                rest = rest.dropFirst(holders.count)
                continue
            }
            let count = merged.merges.isEmpty ? try bulkInserts.insert(rest, kinds) : 0
            rest = rest.dropFirst(max(count, 1))
            if count == 0 { search.note(isMerged: try insert(first, changes, into: &merged)) }
        }
        guard !merged.merges.isEmpty else { return }
        if !isSorted { merged.sort(like: changes.inserts) }
        result.merges = merged.merges
        let redirector = SQLiteRedirector(
            connection: connection, tables: tables, mutations: mutations, merged: merged)
        try redirector.report(redirector.redirect(changes, merged.merges), in: &result)
    }

    /// Inserts the first rows that have no holder, and then merges the first rows that have one.
    ///
    /// The rows have one constraint, so a merge neither frees nor takes a value.
    ///
    /// - Parameter holders: for each of the first rows, the other row that has its unique values.
    /// - Returns: whether the merges are in the order of the rows.
    private func insert(
        _ rows: ArraySlice<ChangeSet.Insert>, _ holders: [Row?], _ changes: ChangeSet, into merged: inout SQLMergedRows
    ) throws(StorageError) -> Bool {
        var isSorted = true
        var free = zip(rows, holders).filter { $1 == nil }.map(\.0)[...]
        free = free.dropFirst(try bulkInserts.insert(free, kinds))
        for insert in free where try self.insert(insert.row, changes, into: &merged) { isSorted = false }
        for (insert, holder) in zip(rows, holders) {
            if let holder { try merger.merge(insert.row, changes, holder: holder, into: &merged) }
        }
        return isSorted
    }

    /// Inserts a row, or merges it into the row that has its unique values.
    ///
    /// - Returns: whether the row was merged.
    private func insert(
        _ row: Row, _ changes: ChangeSet, into merged: inout SQLMergedRows
    ) throws(StorageError) -> Bool {
        let code = try insert(row)
        if code.isDone, connection.changeCount > 0 { return false }
        guard code.isDone || code.isConstraint else { throw connection.failure(code) }
        let failure = code.isDone ? nil : connection.failure(code)
        if try merger.merge(row, changes, into: &merged) { return true }
        if let failure { throw failure }
        try insertPlainly(row)
        return false
    }

    /// Adds a row, unless another row has its key or its unique values.
    @inline(__always)
    private func insert(_ row: Row) throws(StorageError) -> SQLiteResultCode {
        let entity = row.entity
        let statement: SQLiteStatement
        if let known = statements[entity] {
            statement = known
        } else {
            let table = tables.schema.tables[entity]
            // Each entity has its own statement, because the entity's name is bound only once.
            statement = try SQLiteStatement(
                table.uniqueConstraints.isEmpty
                    ? mutations.insert(entity: entity) : mutations.insertUnlessTaken(entity: entity),
                on: connection)
            statements[entity] = statement
            if table.hasEntityColumn { try statement.bind(names[entity], Int32(kinds[entity].count + 2)) }
        }
        try bind(row, to: statement)
        return statement.perform()
    }

    @inline(__always)
    private func bind(_ row: Row, to statement: SQLiteStatement) throws(StorageError) {
        statement.bind(row.key, 1)
        var place: Int32 = 2
        for kind in kinds[row.entity] {
            try statement.bind(row, Int(place) - 2, kind, place)
            place += 1
        }
    }

    /// Inserts a row that conflicts with another row outside of the constraints of the model.
    ///
    /// - Throws: the error of the database that names the value.
    private func insertPlainly(_ row: Row) throws(StorageError) {
        let statement = try connection.statement(mutations.insert(entity: row.entity))
        try bind(row, to: statement)
        if tables.schema.tables[row.entity].hasEntityColumn {
            try statement.bind(names[row.entity], Int32(kinds[row.entity].count + 2))
        }
        try statement.check(statement.perform())
    }
}
