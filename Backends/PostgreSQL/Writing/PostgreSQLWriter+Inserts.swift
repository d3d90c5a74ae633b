import CofferSQL
import CofferStorage

/// Inserts one row with one statement, and 256 rows or more with `COPY`; merges rows whose unique values are taken.
extension PostgreSQLWriter {
    /// Adds or merges the new rows of a commit, and reports the rows that differ from them.
    func insert(_ changes: ChangeSet, into result: inout CommitResult) throws(StorageError) {
        var merger = PostgreSQLMerger(self, changes)
        try merger.insert()
        let merged = merger.merged
        guard !merged.merges.isEmpty else { return }
        result.merges = merged.merges
        let redirector = PostgreSQLRedirector(
            connection: connection, reader: PostgreSQLReader(tables, within: connection), batches: batches)
        let changed = try redirector.redirect(changes, merged.merges)
        for (root, reported) in merged.reported(with: changed).grouped(by: \.key.root) {
            let again = reported.filter { $0.row == nil }.map(\.key.key)
            var rows = reported.compactMap(\.row)
            if !again.isEmpty { rows += try self.rows(root, again) }
            result.refreshed += rows.sorted { $0.key < $1.key }
        }
    }

    /// Commits one new row with one statement, which is a separate transaction: one round trip and not three.
    ///
    /// - Returns: nil if the commit has other changes, or if another row has the unique values of the row. Nothing is
    ///   changed then.
    /// - Throws: `unknownOutcome` if the connection is lost meanwhile, or if it is unknown whether the row was saved.
    func insertAlone(_ changes: ChangeSet) throws(StorageError) -> CommitResult? {
        guard let row = changes.inserts.first?.row, changes.inserts.count == 1, changes.updates.isEmpty,
            changes.deletes.isEmpty, !changes.hasLinks, changes.conditions.isEmpty,
            connection.isReady
        else { return nil }
        let (entity, table) = (layout.entities[row.entity], schema.tables[row.entity])
        var parameters = PostgreSQLParameters([.integer(row.key)])
        for (slot, kind) in entity.kinds.enumerated() { parameters.append(row.value(slot, kind), as: kind) }
        if table.hasEntityColumn { parameters.append(.text(entity.name)) }
        let text = batches.insert(entity: row.entity, isAlone: true)
        // A failure before the row is sent leaves no doubt about the outcome.
        guard (try? connection.prepared(text, parameters.types)) != nil else { return nil }
        do throws(StorageError) {
            let result = try connection.committing { () throws(StorageError) in
                try connection.query(text, parameters)
            }
            return table.uniqueConstraints.isEmpty || result.rowCount > 0 ? CommitResult() : nil
        } catch {
            if connection.lastFailure?.isSerialization == true { return nil }
            guard error.code == .unknownOutcome, connection.isUsable, let failure = connection.lastFailure else {
                throw error
            }
            try resolve(error, failure, text, parameters)
            return nil
        }
    }

    /// Finds out whether a row was saved although its insert was answered with an error.
    ///
    /// The method runs the same insert in a transaction, and rolls the transaction back. If the insert succeeds,
    /// there is no such row, and there will be none. If it fails in the same way, the statement fails before anything
    /// is committed.
    ///
    /// - Parameter doubt: the error that is thrown in all other cases.
    private func resolve(
        _ doubt: StorageError, _ failure: PostgreSQLFailure, _ text: String, _ parameters: PostgreSQLParameters
    ) throws(StorageError) {
        connection.rollBack()
        defer { connection.rollBack() }
        var isNew = false
        do throws(StorageError) {
            try connection.begin()
            isNew = try connection.query(text, parameters).command == "INSERT 0 1"
        } catch {
            throw connection.isUsable && connection.lastFailure?.state == failure.state ? error : doubt
        }
        if !isNew { throw doubt }
    }

    /// The number of rows from which `COPY` saves more work of the server than its additional round trip costs.
    static var copyLimit: Int { 256 }

    /// Adds rows of an entity by `COPY`.
    ///
    /// - Parameter isPlain: whether no row can have the unique values of another row.
    /// - Returns: false if there are few rows, or if one has the unique values of another row. No row is added then.
    func copy(_ rows: [Row], isPlain: Bool) throws(StorageError) -> Bool {
        guard rows.count >= Self.copyLimit, let entity = rows.first?.entity else { return false }
        let copy = PostgreSQLCopy(schema, entity: entity)
        if isPlain {
            try copy.run(rows, version: 1, on: connection)
            return true
        }
        do throws(StorageError) {
            try connection.savepoint { () throws(StorageError) in
                try copy.run(rows, version: 1, on: connection)
            }
            return true
        } catch {
            guard error.code == .uniqueViolation, connection.lastFailure?.state == "23505" else { throw error }
            return false
        }
    }
}
