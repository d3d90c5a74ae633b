import CofferSQL
import CofferStorage
import CofferStorageTools

/// Adds the new rows of a commit, or merges them with the rows that have the same unique values.
///
/// The number of statements does not depend on the number of rows, unless rows of the commit concern each other: see
/// ``PostgreSQLMergeGroups``.
struct PostgreSQLMerger {
    private let writer: PostgreSQLWriter
    private let changes: ChangeSet
    private(set) var merged: SQLMergedRows

    private var connection: PostgreSQLConnection { writer.connection }
    private var schema: SQLSchema { writer.schema }
    private var layout: ModelLayout { writer.layout }

    init(_ writer: PostgreSQLWriter, _ changes: ChangeSet) {
        self.writer = writer
        self.changes = changes
        merged = SQLMergedRows(writer.layout)
    }

    mutating func insert() throws(StorageError) {
        var rest = changes.inserts.map(\.row)[...]
        while let first = rest.first {
            // Rows of a table with constraints are written in their order. If two rows have the same unique values,
            // the later row is merged.
            let isPlain = schema.tables[first.entity].uniqueConstraints.isEmpty
            let rows: [Row]
            if isPlain {
                rows = rest.filter { $0.entity == first.entity }
                rest = rest.filter { $0.entity != first.entity }[...]
            } else {
                rows = Array(rest.prefix { $0.entity == first.entity })
                rest = rest.dropFirst(rows.count)
            }
            let isLarge = rows.count >= PostgreSQLWriter.copyLimit
            var isSearched = false
            if !isPlain, isLarge { isSearched = try isSampleStored(rows) }
            if !isSearched, try writer.copy(rows, isPlain: isPlain) { continue }
            var batch = rows[...]
            while !batch.isEmpty {
                let some = PostgreSQLWriter.batch(batch)
                batch = batch.dropFirst(some.count)
                try insert(Array(some), searchesFirst: isSearched || (isLarge && areDistinct(some)))
            }
        }
        // Rows that concern no other row were merged first.
        merged.sort(like: changes.inserts)
    }

    /// Whether one of a few of the rows has unique values of a stored row.
    ///
    /// `COPY` would then fail, and the server would have inserted the rows before this row in vain.
    private func isSampleStored(_ rows: [Row]) throws(StorageError) -> Bool {
        guard let entity = rows.first?.entity else { return false }
        let step = max(16, (rows.count + Self.sampleSize - 1) / Self.sampleSize)
        let sample = stride(from: 0, to: rows.count, by: step).map { rows[$0] }
        for constraint in layout.entities[entity].uniqueConstraints.indices {
            if try query(holdersOf: sample, constraint, locks: false).rowCount > 0 { return true }
        }
        return false
    }

    /// The maximum number of rows that are searched before the other rows.
    private static var sampleSize: Int { 64 }

    /// Whether no two rows have the same unique values, so that `COPY` has failed because of stored rows.
    private func areDistinct(_ rows: ArraySlice<Row>) -> Bool {
        !PostgreSQLMergeGroups(Array(rows), [], layout).isDependent.contains(true)
    }

    /// - Parameter searchesFirst: whether some of the rows are to be merged into stored rows.
    private mutating func insert(_ rows: [Row], searchesFirst: Bool) throws(StorageError) {
        guard let entity = rows.first?.entity else { return }
        switch schema.tables[entity].uniqueConstraints.count {
        case 0: _ = try write(rows)
        // With one constraint, the merge of a row neither frees nor takes a value.
        case 1: try place(rows, searchesFirst: searchesFirst)
        // With several constraints, the merge of a row may free a value that another row takes.
        default: try insertApart(rows, searchesFirst: searchesFirst)
        }
    }

    /// Adds rows of an entity with several constraints.
    private mutating func insertApart(_ rows: [Row], searchesFirst: Bool) throws(StorageError) {
        guard rows.count > 1 else { return try place(rows) }
        if !searchesFirst {
            let rest = try connection.savepoint(keepingIf: \.isEmpty) { () throws(StorageError) in try write(rows) }
            guard !rest.isEmpty else { return }
        }
        // The other rows are locked, so they do not change between the grouping and the merges.
        let holders = try holders(rows)
        let isDependent = PostgreSQLMergeGroups(rows, holders, layout).isDependent
        let apart = rows.indices.filter { !isDependent[$0] }
        let free = try merge(apart.map { rows[$0] }, apart.map { holders[$0] })
        // Another writer may have taken a value of these rows after the search.
        let taken = Set(try writer.copy(free, isPlain: false) ? [] : write(free).map(\.key))
        for (row, isDependent) in zip(rows, isDependent) where isDependent || taken.contains(row.key) {
            try place([row])
        }
    }

    /// Adds rows, or merges them into the rows that have their unique values.
    private mutating func place(_ rows: [Row], searchesFirst: Bool = false) throws(StorageError) {
        guard let entity = rows.first?.entity else { return }
        var rest = searchesFirst ? try merge(rows, holders(rows)) : rows
        // Most likely, no other row has their values any more.
        if searchesFirst, try writer.copy(rest, isPlain: false) { return }
        for _ in 0...Self.attemptLimit {
            rest = try write(rest)
            // A row that was found taken may be free again: the other row was deleted or changed meanwhile.
            if !rest.isEmpty { rest = try merge(rest, holders(rest)) }
            if rest.isEmpty { return }
        }
        throw StorageError(
            .busy,
            "Other transactions repeatedly set and remove the unique values of a new '\(layout.entities[entity].name)' "
                + "in '\(connection.address.name)'. Try again.", isRetryable: true)
    }

    /// The number of attempts to write a row while another writer deletes the row that has its unique values.
    private static var attemptLimit: Int { 10 }

    /// Adds the rows whose unique values no other row has.
    ///
    /// - Returns: the other rows; all rows if the entity has no constraints.
    private func write(_ rows: [Row]) throws(StorageError) -> [Row] {
        guard let entity = rows.first?.entity else { return [] }
        var parameters = PostgreSQLParameters(keys: rows.map(\.key))
        for (slot, kind) in layout.entities[entity].kinds.enumerated() { parameters.append(slot, kind, of: rows) }
        if schema.tables[entity].hasEntityColumn { parameters.append(.text(layout.entities[entity].name)) }
        let result = try connection.query(writer.batches.insert(entity: entity), parameters)
        guard result.rowCount < rows.count else { return [] }
        let written = Set(result.keys)
        return rows.filter { !written.contains($0.key) }
    }

    /// Replaces new rows by the rows that have their unique values.
    ///
    /// The new values are written into these rows if the policies of the constraints require it.
    ///
    /// - Returns: the rows whose unique values no other row has.
    private mutating func merge(_ rows: [Row], _ holders: [[Holder]]) throws(StorageError) -> [Row] {
        guard let entity = rows.first?.entity else { return [] }
        var survivors: [Int64: Row] = [:]
        var stored: [Int64: Row] = [:]
        var free: [Row] = []
        let count = holders.count { !$0.isEmpty }
        survivors.reserveCapacity(count)
        stored.reserveCapacity(count)
        merged.reserve(count)
        for (row, holders) in zip(rows, holders) {
            let matches = holders.map { holder in
                ChangeSet.UniqueMatch(constraint: holder.constraint, key: holder.row.key, entity: holder.row.entity)
            }
            guard let merge = try changes.merge(of: row, matching: matches, layout), let holder = holders.first?.row
            else {
                free.append(row)
                continue
            }
            merged.add(merge, of: row, into: survivors[merge.into] ?? holder)
            guard !merge.isKept, let survivor = merged.row(SQLRowKey(root: merge.root, key: merge.into)) else {
                continue
            }
            if survivors.updateValue(survivor, forKey: merge.into) == nil { stored[merge.into] = holder }
        }
        let written = survivors.values.sorted { $0.key < $1.key }
        try write(written, over: written.compactMap { stored[$0.key] }, entity)
        return free
    }

    /// Writes the slots that differ in at least one row, and the versions.
    private func write(_ rows: [Row], over stored: [Row], _ entity: Int) throws(StorageError) {
        guard !rows.isEmpty else { return }
        let kinds = layout.entities[entity].kinds
        let slots = kinds.indices.filter { slot in
            zip(rows, stored).contains { !$0.hasSameValue(slot, kinds[slot], as: $1) }
        }
        var parameters = PostgreSQLParameters(keys: rows.map(\.key))
        for slot in slots { parameters.append(slot, kinds[slot], of: rows) }
        parameters.append(keys: zip(rows, stored).map { $0.version &- $1.version })
        _ = try writer.naming { () throws(StorageError) in
            try connection.query(writer.batches.merge(entity: entity, slots: slots), parameters)
        }
    }

    /// Another row that has the values of a constraint of a new row.
    typealias Holder = (constraint: Int, row: Row)

    /// Returns the other rows that have unique values of some rows of an entity, for each of these rows.
    ///
    /// The other rows are locked until the transaction ends.
    private func holders(_ rows: [Row]) throws(StorageError) -> [[Holder]] {
        var holders: [[Holder]] = Array(repeating: [], count: rows.count)
        guard let entity = rows.first.map({ layout.entities[$0.entity] }) else { return holders }
        let decoder = writer.tables.decoders[entity.root]
        var arena = RowArena()
        for constraint in entity.uniqueConstraints.indices {
            let result = try query(holdersOf: rows, constraint, locks: true)
            for number in 0..<result.rowCount {
                let index = Int(result.integer(number, decoder.columnCount))
                guard rows.indices.contains(index), result.integer(number, 0) != rows[index].key else { continue }
                holders[index].append((constraint, try decoder.row(result, number, in: &arena)))
            }
        }
        return holders
    }

    /// Returns the other rows that have the values of a constraint of some rows.
    ///
    /// The result includes these rows themselves if they are stored.
    private func query(
        holdersOf rows: [Row], _ constraint: Int, locks: Bool
    ) throws(StorageError) -> PostgreSQLResult {
        let entity = layout.entities[rows[0].entity]
        var parameters = PostgreSQLParameters(keys: rows.indices.map(Int64.init))
        for slot in entity.uniqueConstraints[constraint] { parameters.append(slot, entity.kinds[slot], of: rows) }
        let text = writer.batches.holders(entity: entity.index, constraint: constraint, locks: locks)
        return try connection.query(text, parameters)
    }
}
