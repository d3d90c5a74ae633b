import CofferSQL
import CofferStorage
import CofferStorageTools

/// Adds the new rows of a commit, and merges those whose unique values other rows have.
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
            if try writer.copy(rows, isPlain: isPlain) { continue }
            var batch = rows[...]
            while !batch.isEmpty {
                let some = PostgreSQLWriter.batch(batch)
                batch = batch.dropFirst(some.count)
                try insert(some)
            }
        }
        // Rows that concern no other row were merged first.
        merged.sort(like: changes.inserts)
    }

    private mutating func insert(_ rows: ArraySlice<Row>) throws(StorageError) {
        guard let entity = rows.first?.entity else { return }
        switch schema.tables[entity].uniqueConstraints.count {
        case 0: _ = try write(rows)
        // A row that is merged frees and takes no value.
        case 1: try place(rows)
        // The merge of a row may free a value that another row takes.
        default: try insertApart(rows)
        }
    }

    /// Adds rows of an entity with several constraints.
    private mutating func insertApart(_ rows: ArraySlice<Row>) throws(StorageError) {
        guard rows.count > 1 else { return try place(rows) }
        let written = try connection.savepoint(keepingIf: { $0.count == rows.count }) { () throws(StorageError) in
            try write(rows)
        }
        guard written.count < rows.count else { return }
        var groups = PostgreSQLMergeGroups(rows, layout)
        for constraint in layout.entities[rows[rows.startIndex].entity].uniqueConstraints.indices {
            for (index, holder) in try holders(Array(rows), constraint) { groups.add(holder, of: index) }
        }
        let (apart, together) = groups.parts()
        try place(apart[...])
        for row in together { try place([row]) }
    }

    /// Adds rows, or merges them into the rows that have their unique values.
    private mutating func place(_ rows: ArraySlice<Row>) throws(StorageError) {
        guard let entity = rows.first?.entity else { return }
        var rest = Array(rows)
        for _ in 0...Self.attemptLimit {
            let written = try write(rest[...])
            rest.removeAll { written.contains($0.key) }
            // A row that was found taken may be free again: the other row was deleted or changed meanwhile.
            if !rest.isEmpty { rest = try merge(rest, entity) }
            if rest.isEmpty { return }
        }
        throw StorageError(
            .busy,
            "Others keep giving the unique values of a new '\(layout.entities[entity].name)' to rows and taking them back on "
                + "'\(connection.address.name)'. Try again.", isRetryable: true)
    }

    /// How often a new row may meet one that is gone when it is looked for.
    private static var attemptLimit: Int { 10 }

    /// - Returns: the keys of the rows that are there now.
    private func write(_ rows: ArraySlice<Row>) throws(StorageError) -> Set<Int64> {
        guard let entity = rows.first?.entity else { return [] }
        var parameters = PostgreSQLParameters()
        parameters.append(keys: rows.map(\.key))
        for (slot, kind) in layout.entities[entity].kinds.enumerated() { parameters.append(slot, kind, of: rows) }
        if schema.tables[entity].hasEntityColumn { parameters.append(.text(layout.entities[entity].name)) }
        return Set(try connection.query(writer.batches.insert(entity: entity), parameters).keys)
    }

    /// Lets the rows that have the unique values of new ones stand for them, and writes the new values into them where the
    /// policies of the constraints say so.
    ///
    /// - Returns: the rows whose unique values no other row has any longer.
    private mutating func merge(_ rows: [Row], _ entity: Int) throws(StorageError) -> [Row] {
        var matches: [[ChangeSet.UniqueMatch]] = Array(repeating: [], count: rows.count)
        var stored: [Int64: Row] = [:]
        for constraint in layout.entities[entity].uniqueConstraints.indices {
            for (index, holder) in try holders(rows, constraint) {
                matches[index].append(.init(constraint: constraint, key: holder.key, entity: holder.entity))
                stored[holder.key] = holder
            }
        }
        var survivors = stored
        var written: [Int64: Row] = [:]
        var free: [Row] = []
        for (row, matches) in zip(rows, matches) {
            guard let merge = try changes.merge(of: row, matching: matches, layout), let holder = survivors[merge.into]
            else {
                free.append(row)
                continue
            }
            merged.add(merge, of: row, into: holder)
            guard !merge.isKept, let survivor = merged.row(SQLRowKey(root: merge.root, key: merge.into)) else {
                continue
            }
            survivors[merge.into] = survivor
            written[merge.into] = survivor
        }
        try write(written.values.sorted { $0.key < $1.key }, over: stored, entity)
        return free
    }

    private func write(_ rows: [Row], over stored: [Int64: Row], _ entity: Int) throws(StorageError) {
        guard !rows.isEmpty else { return }
        var parameters = PostgreSQLParameters()
        parameters.append(keys: rows.map(\.key))
        for (slot, kind) in layout.entities[entity].kinds.enumerated() { parameters.append(slot, kind, of: rows) }
        parameters.append(keys: rows.map { $0.version &- (stored[$0.key]?.version ?? 0) })
        _ = try writer.naming { () throws(StorageError) in
            try connection.query(writer.batches.merge(entity: entity), parameters)
        }
    }

    /// The other rows that have the values of a constraint, each with the place of the row whose values they have.
    ///
    /// The rows are locked until the transaction ends.
    private func holders(_ rows: [Row], _ constraint: Int) throws(StorageError) -> [(index: Int, holder: Row)] {
        guard let entity = rows.first.map({ layout.entities[$0.entity] }) else { return [] }
        var parameters = PostgreSQLParameters()
        parameters.append(keys: rows.map(\.key))
        for slot in entity.uniqueConstraints[constraint] { parameters.append(slot, entity.kinds[slot], of: rows) }
        let result = try connection.query(
            writer.batches.holders(entity: entity.index, constraint: constraint), parameters)
        let places = Dictionary(rows.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
        let decoder = writer.tables.decoders[entity.root]
        var holders: [(index: Int, holder: Row)] = []
        for number in 0..<result.rowCount {
            let (key, row) = (result.integer(number, 0), result.integer(number, decoder.columnCount))
            guard key != row, let index = places[row] else { continue }
            holders.append((index, try decoder.row(result, number)))
        }
        return holders
    }
}
