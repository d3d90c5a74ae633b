import CofferSQL
import CofferStorage
import CofferStorageTools

/// Makes the rows of a commit refer to surviving rows, after new rows were merged.
struct SQLiteRedirector: SQLRedirector {
    let connection: SQLiteConnection
    let tables: SQLiteTables
    let mutations: SQLMutations
    let merged: SQLMergedRows

    var schema: SQLSchema { tables.schema }
    private var layout: ModelLayout { tables.layout }
    private var reader: SQLiteReader { SQLiteReader(tables, connection) }

    func redirect(_ redirection: SQLRedirection) throws(StorageError) -> [Int64] {
        let (entity, column) = (redirection.reference.entity, redirection.reference.column)
        let find = try connection.statement(mutations.referring(entity: entity, column: column))
        let redirect = try connection.statement(mutations.redirect(entity: entity, column: column))
        var changed: [Int64] = []
        for merge in redirection.merges {
            find.bind(merge.from, 1)
            let keys = try find.keys()
            guard !keys.isEmpty else { continue }
            changed += keys
            redirect.bind(merge.into, 1)
            redirect.bind(merge.from, 2)
            try redirect.check(redirect.perform())
        }
        return changed
    }

    func append(_ redirection: SQLRedirection, _ position: Int) throws(StorageError) -> [Int64] {
        let reference = redirection.reference
        let statement = try connection.statement(
            mutations.append(entity: reference.entity, column: reference.column, positionColumn: position))
        var changed: [Int64] = []
        for merge in redirection.merges {
            let keys = try reader.members(reference.inverse, of: [merge.from]).flatMap { $0.members.map(\.key) }
            guard !keys.isEmpty else { continue }
            let last = try reader.lastPlaces(reference.inverse, of: [merge.into])[merge.into]
            for (key, place) in zip(keys, ChangeSet.places(after: last, count: keys.count)) {
                statement.bind(merge.into, 1)
                statement.bind(place, 2)
                statement.bind(key, 3)
                try statement.check(statement.perform())
            }
            changed += keys
        }
        return changed
    }

    func clearFormerPartners(
        of keys: [Int64], _ pair: OneToOne, _ written: inout Set<SQLRowKey>
    ) throws(StorageError) -> [SQLRowKey] {
        guard let text = mutations.unanswered(pair) else { return [] }
        let find = try connection.statement(text)
        let partner = pair.inverse.owner
        let root = layout.entities[partner].root
        var changed: [SQLRowKey] = []
        for key in keys {
            find.bind(key, 1)
            find.bind(key, 2)
            for row in try find.keys().map({ SQLRowKey(root: root, key: $0) }) {
                let isNew = written.insert(row).inserted
                // Throws if the version of the row cannot rise.
                if isNew { _ = try tables.row(row, connection) }
                let clear = mutations.clear(pair.inverseSlot, of: partner, raisesVersion: isNew)
                try connection.run(clear, [.integer(row.key)])
                changed.append(row)
            }
        }
        return changed
    }

    /// Reports the surviving rows, and the changed rows in their current state.
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
            } else if let row = try tables.row(key, connection) {
                result.refreshed.append(row)
            }
        }
    }
}
