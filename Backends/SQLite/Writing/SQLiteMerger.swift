import CofferSQL
import CofferStorage
import CofferStorageTools

/// Merges new rows into the rows that have the same unique values.
///
/// Each statement is prepared once.
final class SQLiteMerger {
    private let connection: SQLiteConnection
    private let tables: SQLiteTables
    /// The statements that find the rows with some unique values, by the index of the root entity and the constraint.
    private var searches: [[SQLiteStatement?]]
    private var updates: SQLiteUpdates
    /// The slots of each entity whose values are in an index.
    private let indexedSlots: [ColumnSet]

    private var layout: ModelLayout { tables.layout }

    init(_ connection: SQLiteConnection, _ tables: SQLiteTables, _ mutations: SQLMutations) {
        self.connection = connection
        self.tables = tables
        updates = SQLiteUpdates(connection, mutations, checksVersion: false)
        let schema = tables.schema
        searches = schema.tables.map { Array(repeating: nil, count: $0.uniqueConstraints.count) }
        indexedSlots = schema.layout.entities.map { entity in
            let table = schema.tables[entity.index]
            let indexed = Set((table.indexes + table.uniqueConstraints).flatMap(\.self))
            let columns = table.columnsOfSlots[entity.index] ?? []
            return ColumnSet(columns.indices.filter { indexed.contains(columns[$0]) })
        }
    }

    /// Merges a new row into the row that has its unique values.
    ///
    /// - Returns: false if no other row has its unique values.
    func merge(_ row: Row, _ changes: ChangeSet, into merged: inout SQLMergedRows) throws(StorageError) -> Bool {
        var matches: [ChangeSet.UniqueMatch] = []
        var survivor: Row?
        for constraint in layout.entities[row.entity].uniqueConstraints.indices {
            guard let holder = try holder(row, constraint) else { continue }
            matches.append(.init(constraint: constraint, key: holder.key, entity: holder.entity))
            survivor = holder
        }
        guard let survivor else { return false }
        return try merge(row, changes, matches, survivor, into: &merged)
    }

    /// Merges a new row of an entity with one constraint into the row that has its unique values.
    ///
    /// - Parameter holder: the row with the unique values, before or after earlier merges.
    func merge(
        _ row: Row, _ changes: ChangeSet, holder: Row, into merged: inout SQLMergedRows
    ) throws(StorageError) {
        let key = SQLRowKey(root: layout.entities[row.entity].root, key: holder.key)
        let holder = merged.row(key) ?? holder
        try layout.checkVersion(holder)
        let match = ChangeSet.UniqueMatch(constraint: 0, key: holder.key, entity: holder.entity)
        _ = try merge(row, changes, [match], holder, into: &merged)
    }

    /// Writes the new values into a surviving row, if the policies of the constraints require it.
    private func merge(
        _ row: Row, _ changes: ChangeSet, _ matches: [ChangeSet.UniqueMatch], _ survivor: Row,
        into merged: inout SQLMergedRows
    ) throws(StorageError) -> Bool {
        guard let merge = try changes.merge(of: row, matching: matches, layout) else { return false }
        if !merge.isKept { try write(row, into: survivor) }
        merged.add(merge, of: row, into: survivor)
        return true
    }

    /// Returns the other row that has a row's values of a constraint; nil if one of the values is null.
    ///
    /// - Throws: `invalidValue`, also if the version of the other row could not rise.
    private func holder(_ row: Row, _ constraint: Int) throws(StorageError) -> Row? {
        let entity = layout.entities[row.entity]
        let slots = entity.uniqueConstraints[constraint]
        guard !slots.contains(where: row.isNull) else { return nil }
        let search = try search(root: entity.root, constraint)
        defer { search.reset() }
        for (index, slot) in slots.enumerated() { try search.bind(row, slot, entity.kinds[slot], Int32(index + 1)) }
        while try search.step() {
            guard search.integer(0) != row.key else { continue }
            var arena = RowArena()
            let holder = try tables.decoders[entity.root].row(search, in: &arena)
            try layout.checkVersion(holder)
            return holder
        }
        return nil
    }

    private func search(root: Int, _ constraint: Int) throws(StorageError) -> SQLiteStatement {
        if let known = searches[root][constraint] { return known }
        let text = tables.queries.holders(root: root, constraint: constraint)
        let statement = try SQLiteStatement(text, on: connection)
        searches[root][constraint] = statement
        return statement
    }

    /// Writes the columns of a new row into another row.
    ///
    /// SQLite would remove and add the entries of an index even if the values are the same. The update therefore leaves
    /// out the columns of indexes that have the new values already.
    private func write(_ row: Row, into holder: Row) throws(StorageError) {
        let kinds = layout.entities[row.entity].kinds
        var columns = ColumnSet(below: kinds.count)
        for slot in indexedSlots[row.entity].slots where row.hasSameValue(slot, kinds[slot], as: holder) {
            columns.remove(slot)
        }
        let update = try updates.update(row.entity, columns)
        _ = try update.bind(row, kinds, key: holder.key)
        try update.statement.check(update.statement.perform())
    }
}
