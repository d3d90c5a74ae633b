import CofferSQL
import CofferStorage

/// New rows, and those of them that meet a row with the same unique values.
extension PostgreSQLWriter {
    /// - Returns: the rows that were written into others.
    func insert(_ inserts: [ChangeSet.Insert]) throws(StorageError) -> [CommitResult.Merge] {
        var merges: [CommitResult.Merge] = []
        var rest = inserts.map(\.row)[...]
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
                merges += try insert(some, entity: first.entity, isPlain: isPlain)
            }
        }
        return merges
    }

    private func insert(
        _ rows: ArraySlice<Row>, entity: Int, isPlain: Bool
    ) throws(StorageError) -> [CommitResult.Merge] {
        if isPlain {
            _ = try write(rows, entity)
            return []
        }
        // With one constraint, a row that is merged frees and takes no value; with several, those after it may depend
        // on what it wrote.
        guard schema.tables[entity].uniqueConstraints.count > 1, rows.count > 1 else {
            return try merge(rows, but: try write(rows, entity))
        }
        let written = try connection.savepoint(keepingIf: { $0.count == rows.count }) { () throws(StorageError) in
            try write(rows, entity)
        }
        if written.count == rows.count { return [] }
        var merges: [CommitResult.Merge] = []
        for row in rows { merges += try merge([row], but: try write([row], entity)) }
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
        _ rows: ArraySlice<Row>, but written: Set<Int64>
    ) throws(StorageError) -> [CommitResult.Merge] {
        var merges: [CommitResult.Merge] = []
        guard written.count < rows.count else { return merges }
        for row in rows where !written.contains(row.key) {
            if let merge = try merge(row) { merges.append(merge) }
        }
        return merges
    }

    /// Writes the new row's values into the one that has its unique values.
    ///
    /// - Returns: nil when that one was deleted or changed meanwhile, and the new row was written after all.
    private func merge(_ row: Row) throws(StorageError) -> CommitResult.Merge? {
        let entity = layout.entities[row.entity]
        for _ in 0...Self.attemptLimit {
            var survivors: Set<Int64> = []
            var broken: [Int] = []
            for constraint in entity.uniqueConstraints.indices {
                guard let key = try conflicting(row, constraint) else { continue }
                survivors.insert(key)
                broken.append(constraint)
            }
            if survivors.isEmpty {
                if try write([row], row.entity).contains(row.key) { return nil }
                continue
            }
            guard let key = survivors.first, survivors.count == 1, let survivor = try rows(entity.root, [key]).first
            else { throw schema.uniqueViolation(row.entity, constraints: broken) }
            return try merge(row, into: survivor)
        }
        throw StorageError(
            .busy,
            "Others keep giving the unique values of a new '\(entity.name)' to rows and taking them back on "
                + "'\(connection.address.name)'. Try again.", isRetryable: true)
    }

    /// How often a new row may meet one that is gone when it is looked for.
    private static var attemptLimit: Int { 10 }

    private func merge(_ row: Row, into survivor: Row) throws(StorageError) -> CommitResult.Merge {
        let entity = layout.entities[row.entity]
        let slots = entity.columns.indices.filter { layout.entity(survivor.entity, isKindOf: entity.columns[$0].owner) }
        var parameters = PostgreSQLParameters()
        for slot in slots {
            parameters.append(row.value(slot, entity.columns[slot].kind), as: entity.columns[slot].kind)
        }
        parameters.append(.integer(survivor.key))
        let text = changes.update(entity: row.entity, slots: slots, checksVersion: false)
        _ = try naming { () throws(StorageError) in try connection.query(text, parameters) }
        return CommitResult.Merge(root: entity.root, from: row.key, into: survivor.key)
    }

    /// The key of the other row that has a row's values of a constraint; nil where one of the values is null.
    ///
    /// Nobody changes or deletes that one before the transaction ends.
    private func conflicting(_ row: Row, _ constraint: Int) throws(StorageError) -> Int64? {
        let entity = layout.entities[row.entity]
        let slots = entity.uniqueConstraints[constraint]
        guard !slots.contains(where: row.isNull) else { return nil }
        let text = changes.conflicting(entity: row.entity, constraint: constraint) + " FOR UPDATE"
        let values = slots.map { row.value($0, entity.columns[$0].kind) }
        return try connection.query(text, PostgreSQLParameters(values)).keys.first { $0 != row.key }
    }

    /// Makes what refers to a merged row refer to the surviving one, and tells how the survivors are now.
    func redirect(_ result: inout CommitResult) throws(StorageError) {
        var changed: Set<RowKey> = []
        for merge in result.merges {
            changed.insert(RowKey(root: merge.root, key: merge.into))
            for (entity, column) in schema.references(to: merge.root) {
                let find = changes.referring(entity: entity, column: column)
                let keys = try connection.query(find, PostgreSQLParameters([.integer(merge.from)])).keys
                guard !keys.isEmpty else { continue }
                for key in keys { changed.insert(RowKey(root: layout.entities[entity].root, key: key)) }
                _ = try connection.query(
                    changes.redirect(entity: entity, column: column),
                    PostgreSQLParameters([.integer(merge.into), .integer(merge.from)]))
            }
        }
        for (root, keys) in changed.sorted(by: { ($0.root, $0.key) < ($1.root, $1.key) }).grouped(by: \.root) {
            result.refreshed += try rows(root, keys.map(\.key))
        }
    }
}
