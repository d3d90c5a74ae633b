import CofferSQL
import CofferStorage
import CofferStorageTools

/// Merges inserted rows with stored rows that have the same unique values.
extension SQLiteWriter {
    /// Lets the row that has the unique values of a new one stand for it, and writes the new values into it where the
    /// policies of the constraints say so.
    func merge(
        _ row: Row, _ changeSet: ChangeSet, _ failure: StorageError
    ) throws(StorageError) -> CommitResult.Merge {
        var matches: [ChangeSet.UniqueMatch] = []
        for constraint in layout.entities[row.entity].uniqueConstraints.indices {
            guard let key = try conflicting(row, constraint), let holder = try self.row(row.entity, key) else {
                continue
            }
            matches.append(.init(constraint: constraint, key: key, entity: holder.entity))
        }
        guard let merge = try changeSet.merge(of: row, matching: matches, layout) else { throw failure }
        if !merge.isKept { try write(row, into: merge.into) }
        return merge
    }

    private func write(_ row: Row, into key: Int64) throws(StorageError) {
        let kinds = layout.entities[row.entity].kinds
        let statement = try connection.statement(
            mutations.update(entity: row.entity, slots: Array(kinds.indices), checksVersion: false))
        for (slot, kind) in kinds.enumerated() { try statement.bind(row, slot, kind, Int32(slot + 1)) }
        statement.bind(key, Int32(kinds.count + 1))
        try statement.check(statement.perform())
    }

    /// Redirects references from merged rows to surviving rows, clears one-to-one references that the surviving row does not
    /// return, and reports the rows as they are now.
    func redirect(_ changeSet: ChangeSet, _ result: inout CommitResult) throws(StorageError) {
        var changed: Set<SQLRowKey> = []
        for merge in result.merges {
            changed.insert(SQLRowKey(root: merge.root, key: merge.into))
            for reference in schema.references(to: merge.root) {
                let (entity, column) = (reference.entity, reference.column)
                if let position = reference.positionColumn {
                    changed.formUnion(try append(reference, position, merge, reader()))
                    continue
                }
                let find = try connection.statement(mutations.referring(entity: entity, column: column))
                find.bind(merge.from, 1)
                var hasSome = false
                while try find.step() {
                    hasSome = true
                    changed.insert(SQLRowKey(root: layout.entities[entity].root, key: find.integer(0)))
                }
                find.reset()
                guard hasSome else { continue }
                let redirect = try connection.statement(mutations.redirect(entity: entity, column: column))
                redirect.bind(merge.into, 1)
                redirect.bind(merge.from, 2)
                try redirect.check(redirect.perform())
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
        _ reference: SQLSchema.Reference, _ position: Int, _ merge: CommitResult.Merge, _ reader: SQLiteReader
    ) throws(StorageError) -> [SQLRowKey] {
        let keys = try reader.members(reference.inverse, of: [merge.from]).flatMap { $0.members.map(\.key) }
        guard !keys.isEmpty else { return [] }
        let last = try reader.lastPlaces(reference.inverse, of: [merge.into])[merge.into]
        let statement = try connection.statement(
            mutations.append(entity: reference.entity, column: reference.column, positionColumn: position))
        for (key, place) in zip(keys, ChangeSet.places(after: last, count: keys.count)) {
            statement.bind(merge.into, 1)
            statement.bind(place, 2)
            statement.bind(key, 3)
            try statement.check(statement.perform())
        }
        return keys.map { SQLRowKey(root: layout.entities[reference.entity].root, key: $0) }
    }

    /// Returns the rows that the store has changed besides those of the change set.
    private func report(_ changed: Set<SQLRowKey>, _ result: inout CommitResult) throws(StorageError) {
        result.refreshed.removeAll { changed.contains(SQLRowKey(root: layout.entities[$0.entity].root, key: $0.key)) }
        for place in changed.sorted() {
            if let row = try row(place.root, place.key) { result.refreshed.append(row) }
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
        let find = try connection.statement(text)
        find.bind(key, 1)
        find.bind(key, 2)
        var keys: [Int64] = []
        while try find.step() { keys.append(find.integer(0)) }
        find.reset()
        let partner = pair.inverse.owner
        let found = keys.map { SQLRowKey(root: layout.entities[partner].root, key: $0) }
        for row in found {
            let isNew = written.insert(row).inserted
            // Throws where the version of the row could not rise.
            if isNew { _ = try self.row(row.root, row.key) }
            let clear = try connection.statement(
                mutations.clear(pair.inverseSlot, of: partner, raisesVersion: isNew))
            clear.bind(row.key, 1)
            try clear.check(clear.perform())
        }
        return found
    }

    /// The key of the other row that has a row's values of a constraint; nil where one of the values is null.
    private func conflicting(_ row: Row, _ constraint: Int) throws(StorageError) -> Int64? {
        let slots = layout.entities[row.entity].uniqueConstraints[constraint]
        guard !slots.contains(where: row.isNull) else { return nil }
        let kinds = layout.entities[row.entity].kinds
        let statement = try connection.statement(mutations.conflicting(entity: row.entity, constraint: constraint))
        defer { statement.reset() }
        for (index, slot) in slots.enumerated() { try statement.bind(row, slot, kinds[slot], Int32(index + 1)) }
        while try statement.step() {
            if statement.integer(0) != row.key { return statement.integer(0) }
        }
        return nil
    }

    /// Says which constraint a row breaks.
    func uniqueViolation(of row: Row) -> StorageError {
        let broken = layout.entities[row.entity].uniqueConstraints.indices.filter { constraint in
            guard let key = try? conflicting(row, constraint) else { return false }
            return key != row.key
        }
        return schema.uniqueViolation(row.entity, constraints: Array(broken))
    }

    /// Makes a row that is about to be updated give up its unique values.
    func clearConstraints(_ update: ChangeSet.Update) throws(StorageError) {
        let table = schema.tables[update.row.entity]
        let columns = Set(table.uniqueConstraints.flatMap(\.self)).sorted()
        let own = layout.entities[update.row.entity]
        let changed = columns.filter { column in
            guard let slot = table.columnsOfSlots[own.index]?.firstIndex(of: column) else { return false }
            return update.columns.contains(slot)
        }
        guard !changed.isEmpty else { return }
        let dialect = mutations.dialect
        let sets = changed.map { "\(dialect.quoted(table.columns[$0].name)) = NULL" }.joined(separator: ", ")
        let statement = try connection.statement(
            "UPDATE \(dialect.quoted(table.name)) SET \(sets) WHERE \(dialect.quoted(SQLTable.key)) = ?"
        )
        statement.bind(update.row.key, 1)
        try statement.check(statement.perform())
    }
}
