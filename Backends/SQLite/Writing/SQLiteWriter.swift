import CofferSQL
import CofferStorage
import CofferStorageTools

/// Saves commits over the connection for writing: deletes, updates, inserts and links.
///
/// Deletes come first and inserts last, so that a new row can take a unique value that another row gives up.
final class SQLiteWriter {
    let connection: SQLiteConnection
    let tables: SQLiteTables
    let schema: SQLSchema
    let mutations: SQLMutations

    var layout: ModelLayout { schema.layout }

    private let inserter: SQLiteInserter
    private var deletes: [SQLiteStatement?]
    private var updates: SQLiteUpdates
    /// The updates of rows that another transaction has changed.
    private var uncheckedUpdates: SQLiteUpdates
    private lazy var begin = Result { () throws(StorageError) in try connection.statement("BEGIN IMMEDIATE") }
    private lazy var end = Result { () throws(StorageError) in try connection.statement("COMMIT") }

    /// The kinds of the slots, by the index of an entity.
    private let kinds: [[ColumnKind]]
    /// The link tables that may contain objects of each entity, with the side of the objects.
    private let linkSides: [[(table: Int, isFirst: Bool)]]

    init(_ connection: SQLiteConnection, _ tables: SQLiteTables) {
        self.connection = connection
        self.tables = tables
        let schema = tables.schema
        self.schema = schema
        mutations = SQLMutations(schema, SQLiteDialect())
        updates = SQLiteUpdates(connection, mutations, checksVersion: true)
        uncheckedUpdates = SQLiteUpdates(connection, mutations, checksVersion: false)
        inserter = SQLiteInserter(connection, tables, mutations)
        let layout = schema.layout
        deletes = Array(repeating: nil, count: layout.entities.count)
        kinds = layout.entities.map(\.kinds)
        linkSides = layout.entities.map { schema.linkSides(of: $0.index) }
    }

    /// Runs the body in a transaction for which other writers wait; rolls it back if the body throws an error.
    ///
    /// - Parameter settle: a closure that is called with the result of the body if ending the transaction failed. The
    ///   method returns its result or throws its error.
    func transaction<Success>(
        settlingBy settle: (Success, StorageError) throws(StorageError) -> Success = { _, error throws(StorageError) in
            throw error
        },
        _ body: () throws(StorageError) -> Success
    ) throws(StorageError) -> Success {
        let begin = try begin.get()
        try begin.check(begin.perform())
        let result: Success
        let failure: StorageError
        do throws(StorageError) {
            result = try body()
            // A commit to a file that was removed or replaced must not be acknowledged.
            try connection.checkPlace()
            let end = try end.get()
            let code = end.perform()
            if code.isDone { return result }
            failure = connection.failure(code)
            // Another connection has a lock, and nothing was written.
            if code.isBusy { throw failure }
        } catch {
            connection.rollBack()
            try connection.checkPlace()
            throw error
        }
        connection.rollBack()
        return try settle(result, failure)
    }

    /// - Throws: `conflict`, `uniqueViolation`, `busy`, `full` or another error if nothing was changed;
    ///   `unknownOutcome` if it is unknown whether the changes were saved.
    func commit(_ changes: ChangeSet) throws(StorageError) -> CommitResult {
        try transaction(settlingBy: { result, failure throws(StorageError) in
            try settle(changes, result, failure)
        }) { () throws(StorageError) in
            if !changes.conditions.isEmpty { try changes.checkConditions(reader(), layout) }
            var result = CommitResult()
            for delete in changes.deletes { try self.delete(delete) }
            try update(changes.updates, into: &result)
            try inserter.insert(changes, into: &result)
            if changes.hasLinks { try link(changes, result.merges) }
            return result
        }
    }

    /// Returns a reader inside the current transaction.
    func reader() -> SQLiteReader { SQLiteReader(tables, connection) }

    // MARK: Rows

    private func delete(_ delete: ChangeSet.Delete) throws(StorageError) {
        let statement: SQLiteStatement
        if let known = deletes[delete.entity] {
            statement = known
        } else {
            statement = try connection.statement(mutations.delete(entity: delete.entity))
            deletes[delete.entity] = statement
        }
        statement.bind(delete.key, 1)
        try statement.check(statement.perform())
        for side in linkSides[delete.entity] {
            let unlink = try connection.statement(mutations.unlinkAll(side.table, isFirst: side.isFirst))
            unlink.bind(delete.key, 1)
            try unlink.check(unlink.perform())
        }
    }

    /// Updates the rows; retries an update while a row that is updated later still has its unique values.
    private func update(_ updates: [ChangeSet.Update], into result: inout CommitResult) throws(StorageError) {
        var waiting: [ChangeSet.Update] = []
        for update in updates {
            if try !self.update(update, into: &result) { waiting.append(update) }
        }
        var isCycle = false
        while !waiting.isEmpty {
            var still: [ChangeSet.Update] = []
            for update in waiting {
                if try !self.update(update, into: &result) { still.append(update) }
            }
            if still.count == waiting.count {
                guard !isCycle else { throw uniqueViolation(of: still[0].row) }
                // The rows wait for each other, so the unique values of all of them are cleared first.
                isCycle = true
                for update in still { try clearConstraints(update) }
            }
            waiting = still
        }
    }

    /// - Returns: false if another row has the new unique values.
    private func update(_ update: ChangeSet.Update, into result: inout CommitResult) throws(StorageError) -> Bool {
        let row = update.row
        let checked = try updates.update(row.entity, update.columns)
        checked.statement.bind(row.version, try checked.bind(row, kinds[row.entity], key: row.key))
        var code = checked.statement.perform()
        if code.isDone, connection.changeCount > 0 { return true }
        if code.isDone {
            // Another transaction has deleted or changed the row.
            let unchecked = try uncheckedUpdates.update(row.entity, update.columns)
            _ = try unchecked.bind(row, kinds[row.entity], key: row.key)
            code = unchecked.statement.perform()
            if code.isDone {
                guard connection.changeCount > 0, let now = try self.row(row.entity, row.key) else {
                    throw schema.conflict(row.entity, row.key)
                }
                result.refreshed.append(now)
                return true
            }
        }
        guard code.isConstraint else { throw connection.failure(code) }
        return false
    }

    /// Returns the row with a key in this transaction.
    ///
    /// - Throws: `invalidValue`, also if the version of the row could not rise.
    func row(_ entity: Int, _ key: Int64) throws(StorageError) -> Row? {
        try tables.row(SQLRowKey(root: layout.entities[entity].root, key: key), connection)
    }

    // MARK: Links

    private func link(_ changeSet: ChangeSet, _ merges: [CommitResult.Merge]) throws(StorageError) {
        for link in changeSet.unlinks {
            let link = schema.canonical(link, merges)
            let statement = try connection.statement(mutations.unlink(link.table))
            statement.bind(link.first, 1)
            statement.bind(link.second, 2)
            try statement.check(statement.perform())
        }
        let links = try changeSet.links(after: merges, in: layout) { relationship, owners throws(StorageError) in
            try reader().members(relationship, of: owners)
        }
        for link in links {
            let link = schema.canonical(link, [])
            let statement = try connection.statement(mutations.link(link.table))
            statement.bind(link, of: schema.links[link.table])
            try statement.check(statement.perform())
        }
        for link in changeSet.moves where schema.links[link.table].isOrdered {
            let link = schema.canonical(link, merges)
            let statement = try connection.statement(mutations.move(link.table))
            statement.bind(moved: link, of: schema.links[link.table])
            try statement.check(statement.perform())
        }
    }
}
