import CofferSQL
import CofferStorage
import CofferStorageTools

/// Inserts rows, and merges them with stored rows of the same unique values, in at most ten attempts.
extension PostgreSQLWriter {
    /// - Returns: the rows for which others stand.
    func insert(_ changes: ChangeSet) throws(StorageError) -> [CommitResult.Merge] {
        var merges: [CommitResult.Merge] = []
        var rest = changes.inserts.map(\.row)[...]
        while let first = rest.first {
            // Rows of one table with constraints are written in their order: of two that meet, the later is merged.
            let isPlain = schema.tables[first.entity].uniqueConstraints.isEmpty
            let rows: [Row]
            if isPlain {
                rows = rest.filter { $0.entity == first.entity }
                rest = rest.filter { $0.entity != first.entity }[...]
            } else {
                rows = Array(rest.prefix { $0.entity == first.entity })
                rest = rest.dropFirst(rows.count)
            }
            if try copy(rows, isPlain: isPlain) { continue }
            var batch = rows[...]
            while !batch.isEmpty {
                let some = Self.batch(batch)
                batch = batch.dropFirst(some.count)
                merges += try insert(some, of: changes, entity: first.entity, isPlain: isPlain)
            }
        }
        return merges
    }

    private func insert(
        _ rows: ArraySlice<Row>, of changes: ChangeSet, entity: Int, isPlain: Bool
    ) throws(StorageError) -> [CommitResult.Merge] {
        if isPlain {
            _ = try write(rows, entity)
            return []
        }
        // With one constraint, a row that is merged frees and takes no value; with several, those after it may depend
        // on what it wrote.
        guard schema.tables[entity].uniqueConstraints.count > 1, rows.count > 1 else {
            return try merge(rows, of: changes, but: try write(rows, entity))
        }
        let written = try connection.savepoint(keepingIf: { $0.count == rows.count }) { () throws(StorageError) in
            try write(rows, entity)
        }
        if written.count == rows.count { return [] }
        var merges: [CommitResult.Merge] = []
        for row in rows { merges += try merge([row], of: changes, but: try write([row], entity)) }
        return merges
    }

    /// - Returns: the keys of the rows that are there now.
    private func write(_ rows: ArraySlice<Row>, _ entity: Int) throws(StorageError) -> Set<Int64> {
        var parameters = PostgreSQLParameters()
        parameters.append(keys: rows.map(\.key))
        for (slot, kind) in layout.entities[entity].kinds.enumerated() { parameters.append(slot, kind, of: rows) }
        if schema.tables[entity].hasEntityColumn { parameters.append(.text(layout.entities[entity].name)) }
        return Set(try connection.query(batches.insert(entity: entity), parameters).keys)
    }

    private func merge(
        _ rows: ArraySlice<Row>, of changes: ChangeSet, but written: Set<Int64>
    ) throws(StorageError) -> [CommitResult.Merge] {
        var merges: [CommitResult.Merge] = []
        guard written.count < rows.count else { return merges }
        for row in rows where !written.contains(row.key) {
            if let merge = try merge(row, of: changes) { merges.append(merge) }
        }
        return merges
    }

    /// Lets the row that has the unique values of a new one stand for it, and writes the new values into it where the
    /// policies of the constraints say so.
    ///
    /// - Returns: nil when that one was deleted or changed meanwhile, and the new row was written after all.
    private func merge(_ row: Row, of changeSet: ChangeSet) throws(StorageError) -> CommitResult.Merge? {
        let entity = layout.entities[row.entity]
        for _ in 0...Self.attemptLimit {
            var matches: [ChangeSet.UniqueMatch] = []
            for constraint in entity.uniqueConstraints.indices {
                guard let key = try conflicting(row, constraint), let holder = try rows(entity.root, [key]).first else {
                    continue
                }
                matches.append(.init(constraint: constraint, key: key, entity: holder.entity))
            }
            guard let merge = try changeSet.merge(of: row, matching: matches, layout) else {
                if try write([row], row.entity).contains(row.key) { return nil }
                continue
            }
            if !merge.isKept { try write(row, into: merge.into) }
            return merge
        }
        throw StorageError(
            .busy,
            "Others keep giving the unique values of a new '\(entity.name)' to rows and taking them back on "
                + "'\(connection.address.name)'. Try again.", isRetryable: true)
    }

    /// How often a new row may meet one that is gone when it is looked for.
    private static var attemptLimit: Int { 10 }

    private func write(_ row: Row, into key: Int64) throws(StorageError) {
        let columns = layout.entities[row.entity].columns
        var parameters = PostgreSQLParameters()
        for (slot, column) in columns.enumerated() { parameters.append(row.value(slot, column.kind), as: column.kind) }
        parameters.append(.integer(key))
        let text = mutations.update(entity: row.entity, slots: Array(columns.indices), checksVersion: false)
        _ = try naming { () throws(StorageError) in try connection.query(text, parameters) }
    }

    /// The key of the other row that has a row's values of a constraint; nil where one of the values is null.
    ///
    /// Nobody changes or deletes that one before the transaction ends.
    private func conflicting(_ row: Row, _ constraint: Int) throws(StorageError) -> Int64? {
        let entity = layout.entities[row.entity]
        let slots = entity.uniqueConstraints[constraint]
        guard !slots.contains(where: row.isNull) else { return nil }
        let text = mutations.conflicting(entity: row.entity, constraint: constraint) + " FOR UPDATE"
        let values = slots.map { row.value($0, entity.columns[$0].kind) }
        return try connection.query(text, PostgreSQLParameters(values)).keys.first { $0 != row.key }
    }

    /// Redirects references from merged rows to surviving rows, clears one-to-one references that the surviving row does not
    /// return, and reports the rows as they are now.
    func redirect(
        _ changeSet: ChangeSet, _ result: inout CommitResult, _ reader: PostgreSQLReader
    ) throws(StorageError) {
        var changed: Set<SQLRowKey> = []
        for merge in result.merges {
            changed.insert(SQLRowKey(root: merge.root, key: merge.into))
            for reference in schema.references(to: merge.root) {
                let (entity, column) = (reference.entity, reference.column)
                if let position = reference.positionColumn {
                    changed.formUnion(try append(reference, position, merge, reader))
                    continue
                }
                let find = mutations.referring(entity: entity, column: column)
                let keys = try connection.query(find, PostgreSQLParameters([.integer(merge.from)])).keys
                guard !keys.isEmpty else { continue }
                for key in keys { changed.insert(SQLRowKey(root: layout.entities[entity].root, key: key)) }
                _ = try connection.query(
                    mutations.redirect(entity: entity, column: column),
                    PostgreSQLParameters([.integer(merge.into), .integer(merge.from)]))
            }
        }
        let pairs = layout.oneToOneRelationships(of: result.merges)
        guard !pairs.isEmpty else { return try report(changed, &result) }
        var written = changeSet.written(result.merges, layout)
        for (pair, keys) in pairs {
            for key in keys { changed.formUnion(try clearFormerPartners(of: key, pair, &written)) }
        }
        try report(changed, &result)
    }

    /// Makes the members of an ordered relationship of a merged row the last members of the surviving row.
    ///
    /// - Returns: the members of the merged row.
    private func append(
        _ reference: SQLSchema.Reference, _ position: Int, _ merge: CommitResult.Merge, _ reader: PostgreSQLReader
    ) throws(StorageError) -> [SQLRowKey] {
        let keys = try reader.members(reference.inverse, of: [merge.from]).flatMap { $0.members.map(\.key) }
        guard !keys.isEmpty else { return [] }
        let last = try reader.lastPlaces(reference.inverse, of: [merge.into])[merge.into]
        var parameters = PostgreSQLParameters([.integer(merge.into)])
        parameters.append(keys: keys)
        parameters.append(keys: ChangeSet.places(after: last, count: keys.count))
        _ = try connection.query(
            batches.append(entity: reference.entity, column: reference.column, positionColumn: position), parameters)
        return keys.map { SQLRowKey(root: layout.entities[reference.entity].root, key: $0) }
    }

    /// Returns the rows that the store has changed besides those of the change set.
    private func report(_ changed: Set<SQLRowKey>, _ result: inout CommitResult) throws(StorageError) {
        for (root, keys) in changed.sorted().grouped(by: \.root) {
            result.refreshed += try rows(root, keys.map(\.key))
        }
    }

    /// Clears references to a row that stands for an inserted one where that row does not refer back.
    ///
    /// - Parameter written: the rows that have a new version already.
    /// - Returns: the rows that referred to it.
    private func clearFormerPartners(
        of key: Int64, _ pair: OneToOne, _ written: inout Set<SQLRowKey>
    ) throws(StorageError) -> [SQLRowKey] {
        guard let text = mutations.unanswered(pair) else { return [] }
        let parameters = PostgreSQLParameters([.integer(key), .integer(key)])
        let keys = try connection.query(text + " FOR UPDATE OF p", parameters).keys
        let partner = pair.inverse.owner
        let found = keys.map { SQLRowKey(root: layout.entities[partner].root, key: $0) }
        for row in found {
            let text = mutations.clear(
                pair.inverseSlot, of: partner, raisesVersion: written.insert(row).inserted)
            _ = try connection.query(text, PostgreSQLParameters([.integer(row.key)]))
        }
        return found
    }
}
