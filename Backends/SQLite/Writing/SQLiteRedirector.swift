import CofferSQL
import CofferStorage
import CofferStorageTools

/// Makes the rows of a commit refer to surviving rows, after new rows were merged.
struct SQLiteRedirector {
    let connection: SQLiteConnection
    let tables: SQLiteTables
    let mutations: SQLMutations
    let merged: SQLMergedRows

    private var schema: SQLSchema { tables.schema }
    private var layout: ModelLayout { tables.layout }
    private var reader: SQLiteReader { SQLiteReader(tables, borrowing: connection) }

    /// Redirects references from merged rows to surviving rows, and clears one-to-one references that the surviving row
    /// does not return.
    ///
    /// - Returns: the rows that were changed.
    func redirect(_ changeSet: ChangeSet) throws(StorageError) -> Set<SQLRowKey> {
        var changed: Set<SQLRowKey> = []
        for redirection in schema.redirections(of: changeSet, merged.merges) {
            if let position = redirection.reference.positionColumn {
                try append(redirection, position, &changed)
            } else {
                try redirect(redirection, &changed)
            }
        }
        let pairs = layout.oneToOneRelationships(of: merged.merges)
        guard !pairs.isEmpty else { return changed }
        var written = changeSet.written(merged.merges, layout)
        for (pair, keys) in pairs { try clearFormerPartners(of: keys, pair, &written, &changed) }
        return changed
    }

    private func redirect(_ redirection: SQLRedirection, _ changed: inout Set<SQLRowKey>) throws(StorageError) {
        let (entity, column) = (redirection.reference.entity, redirection.reference.column)
        let root = layout.entities[entity].root
        let find = try connection.statement(mutations.referring(entity: entity, column: column))
        let redirect = try connection.statement(mutations.redirect(entity: entity, column: column))
        for merge in redirection.merges {
            find.bind(merge.from, 1)
            var hasSome = false
            while try find.step() {
                hasSome = true
                changed.insert(SQLRowKey(root: root, key: find.integer(0)))
            }
            find.reset()
            guard hasSome else { continue }
            redirect.bind(merge.into, 1)
            redirect.bind(merge.from, 2)
            try redirect.check(redirect.perform())
        }
    }

    /// Makes the members of an ordered relationship of a merged row the last members of the surviving row.
    private func append(
        _ redirection: SQLRedirection, _ position: Int, _ changed: inout Set<SQLRowKey>
    ) throws(StorageError) {
        let reference = redirection.reference
        let root = layout.entities[reference.entity].root
        let statement = try connection.statement(
            mutations.append(entity: reference.entity, column: reference.column, positionColumn: position))
        for merge in redirection.merges {
            let keys = try reader.members(reference.inverse, of: [merge.from]).flatMap { $0.members.map(\.key) }
            guard !keys.isEmpty else { continue }
            let last = try reader.lastPlaces(reference.inverse, of: [merge.into])[merge.into]
            for (key, place) in zip(keys, ChangeSet.places(after: last, count: keys.count)) {
                statement.bind(merge.into, 1)
                statement.bind(place, 2)
                statement.bind(key, 3)
                try statement.check(statement.perform())
                changed.insert(SQLRowKey(root: root, key: key))
            }
        }
    }

    /// Clears references to surviving rows where these rows do not refer back.
    ///
    /// - Parameter written: the rows that have a new version already.
    private func clearFormerPartners(
        of keys: [Int64], _ pair: OneToOne, _ written: inout Set<SQLRowKey>, _ changed: inout Set<SQLRowKey>
    ) throws(StorageError) {
        guard let text = mutations.unanswered(pair) else { return }
        let find = try connection.statement(text)
        let partner = pair.inverse.owner
        let root = layout.entities[partner].root
        for key in keys {
            find.bind(key, 1)
            find.bind(key, 2)
            var found: [SQLRowKey] = []
            while try find.step() { found.append(SQLRowKey(root: root, key: find.integer(0))) }
            find.reset()
            for row in found {
                let isNew = written.insert(row).inserted
                // Throws if the version of the row cannot rise.
                if isNew { _ = try self.row(row) }
                let clear = try connection.statement(
                    mutations.clear(pair.inverseSlot, of: partner, raisesVersion: isNew))
                clear.bind(row.key, 1)
                try clear.check(clear.perform())
                changed.insert(row)
            }
        }
    }

    /// Reports the surviving rows and the rows that were changed as they are now.
    func report(_ changed: Set<SQLRowKey>, in result: inout CommitResult) throws(StorageError) {
        let reported = merged.reported(with: changed)
        if !result.refreshed.isEmpty {
            let known = Set(reported.map(\.key))
            result.refreshed.removeAll { row in
                known.contains(SQLRowKey(root: layout.entities[row.entity].root, key: row.key))
            }
        }
        result.refreshed.reserveCapacity(result.refreshed.count + reported.count)
        for (key, row) in reported {
            if let row {
                result.refreshed.append(row)
            } else if let row = try self.row(key) {
                result.refreshed.append(row)
            }
        }
    }

    private func row(_ place: SQLRowKey) throws(StorageError) -> Row? {
        let statement = try connection.statement(tables.rowTexts[place.root])
        defer { statement.reset() }
        statement.bind(place.key, 1)
        guard try statement.step() else { return nil }
        let row = try tables.decoders[place.root].row(statement)
        try layout.checkVersion(row)
        return row
    }
}
