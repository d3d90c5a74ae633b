import CofferEvaluation
import CofferSQL
import CofferStorage

/// Reads from one snapshot; decides whether a request is evaluated in memory, and splits long lists of keys.
// Not Sendable: one thread at a time uses the reader, as StorageReader requires.
final class SQLiteReader: LinkReader {
    let tables: SQLiteTables
    private var connection: SQLiteConnection?
    /// The pool that takes the connection back; nil if the connection belongs to a transaction that continues.
    private let pool: SQLitePool?
    private var rowStatements: [SQLiteStatement?]
    private var isStarted = false
    /// Whether the reference evaluator is requesting rows.
    private var isEvaluating = false
    /// Whether the last request for values failed while SQLite computed.
    private var hasFailedToCompute = false

    /// Creates a reader of a snapshot.
    ///
    /// - Parameter pool: the pool of the connection; nil for a reader inside the current transaction of the
    ///   connection.
    init(_ tables: SQLiteTables, _ connection: SQLiteConnection, from pool: SQLitePool? = nil) {
        self.tables = tables
        self.connection = connection
        self.pool = pool
        isStarted = pool == nil
        rowStatements = Array(repeating: nil, count: tables.layout.entities.count)
    }

    deinit { finish() }

    func finish() {
        guard let connection else { return }
        self.connection = nil
        rowStatements = []
        pool?.giveBack(connection)
    }

    /// Returns the connection, after its snapshot has begun.
    @inline(__always)
    func active() throws(StorageError) -> SQLiteConnection {
        guard let connection else { throw SQLitePool.closed }
        if !isStarted {
            try connection.run("BEGIN")
            isStarted = true
        }
        return connection
    }

    /// Prepares a statement; returns nil if the statement is nested too deeply for SQLite.
    ///
    /// - Parameters:
    ///   - statement: the statement; nil for a request that the dialect cannot express.
    ///   - maker: creates the rows, if the request is for rows.
    func prepare(
        _ statement: SQLStatement?, by maker: (any SQLiteRowMaker)? = nil
    ) throws(StorageError) -> SQLiteStatement? {
        let connection = try active()
        guard let statement else { return nil }
        guard statement.bindings.count <= connection.variableLimit else {
            throw .invalidRequest(
                "A request has \(statement.bindings.count) values, more than SQLite can bind. Split the request.")
        }
        let prepared: SQLiteStatement
        do throws(StorageError) {
            if let maker {
                prepared = try connection.rowStatement(statement.text, maker)
            } else {
                prepared = try connection.statement(statement.text)
            }
        } catch {
            if connection.hasGenericFailure, !isEvaluating, Self.isLarge(statement.text) { return nil }
            throw error
        }
        try prepared.bind(statement.bindings)
        return prepared
    }

    /// Whether SQLite may refuse a statement because its expressions are too deep.
    ///
    /// SQLite has no error code for this case. SQLite 3.40 accepts 17 nested parentheses of every kind, and 999
    /// operators in a row. If the statement was refused for another reason, such as a missing table, the statements
    /// of the evaluator fail as well.
    private static func isLarge(_ text: String) -> Bool {
        if text.utf8.count > 4_096 { return true }
        var depth = 0
        for byte in text.utf8 {
            if byte == UInt8(ascii: "(") { depth += 1 }
            if byte == UInt8(ascii: ")") { depth -= 1 }
            if depth > 8 { return true }
        }
        return false
    }

    /// Returns the answer of the reference evaluator to a request that SQLite cannot parse.
    private func evaluated<Result>(
        _ answer: (ReferenceEvaluator, SQLRows) throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        isEvaluating = true
        defer { isEvaluating = false }
        return try SQLRows.evaluate(self, tables.layout, answer)
    }

    /// Returns the plan for a request with a range, by the number of rows in the range.
    ///
    /// - Parameter isSorted: whether the statement sorts the rows.
    func rangePlan(_ request: RowRequest, isSorted: Bool = true) throws(StorageError) -> SQLRangePlan {
        guard let probe = tables.queries.probe(request, isSorted: isSorted),
            let statement = try prepare(probe.statement)
        else { return .database }
        defer { statement.reset() }
        return probe.plan(for: try statement.step() ? Int(statement.integer(0)) : 0)
    }

    func rows(_ request: RowRequest) throws(StorageError) -> [Row] {
        var rows: [Row] = []
        if let limit = request.limit { rows.reserveCapacity(min(max(0, limit), 1024)) }
        try forEachRow(request) { rows.append($0) }
        return rows
    }

    func forEachRow(_ request: RowRequest, _ body: (consuming Row) -> Void) throws(StorageError) {
        try tables.layout.check(request)
        if let rows = try rowsOfList(request) { return rows.forEach(body) }
        let plan = try rangePlan(request)
        let decoder = tables.decoder(request.entity, includesSubentities: request.includesSubentities)
        let text = try? tables.queries.rows(request, plan)
        guard let statement = try prepare(text, by: decoder), let text else {
            return try evaluated { $0.rows(request, in: $1) }.forEach(body)
        }
        do {
            defer { statement.reset() }
            let isLimited = request.limit != nil || request.offset > 0
            if try decoder.forEachRow(statement, isLimited: isLimited, body) { return }
        }
        let columns = try active().columnStatement(text.text)
        defer { columns.reset() }
        try columns.bind(text.bindings)
        _ = try decoder.forEachRow(columns, body)
    }

    /// Returns the rows of a request for the values of a long list, by key; nil for other requests.
    private func rowsOfList(_ request: RowRequest) throws(StorageError) -> [Row]? {
        let decoder = tables.decoder(request.entity, includesSubentities: request.includesSubentities)
        guard let list = try? tables.queries.unorderedRows(request), let statement = try prepare(list, by: decoder)
        else { return nil }
        defer { statement.reset() }
        var rows: [Row] = []
        _ = try decoder.forEachRow(statement) { rows.append($0) }
        SQLQueries.orderByKey(&rows)
        return rows
    }

    func keys(_ request: RowRequest) throws(StorageError) -> [Int64] {
        try tables.layout.check(request)
        let plan = try rangePlan(request)
        guard let statement = try prepare(try? tables.queries.keys(request, plan)) else {
            return try evaluated { $0.rows(request, in: $1) }.map(\.key)
        }
        return try statement.keys()
    }

    func count(_ request: RowRequest) throws(StorageError) -> Int {
        try tables.layout.check(request)
        let plan = try rangePlan(request, isSorted: false)
        guard let statement = try prepare(try? tables.queries.count(request, plan)) else {
            return try evaluated { $0.count(request, in: $1) }
        }
        defer { statement.reset() }
        return try statement.step() ? Int(statement.integer(0)) : 0
    }

    func values(_ request: ValueRequest) throws(StorageError) -> [[Value]] {
        try tables.layout.check(request)
        do throws(StorageError) {
            if let values = try request.readingSkipped({ (all) throws(StorageError) in
                try values(all, tables.queries)
            }) {
                return values
            }
            return try evaluated { evaluator, rows throws(StorageError) in try evaluator.values(request, in: rows) }
        } catch {
            guard hasFailedToCompute else { throw error }
            return try wideValues(request)
        }
    }

    /// Returns the values with integer sums whose intermediate results may exceed 64 bits.
    private func wideValues(_ request: ValueRequest) throws(StorageError) -> [[Value]] {
        if let values = try request.readingSkipped(
            always: true,
            { (all) throws(StorageError) in
                try values(all, tables.wideQueries)
            })
        {
            return values
        }
        return try evaluated { evaluator, rows throws(StorageError) in try evaluator.values(request, in: rows) }
    }

    private func values(_ request: ValueRequest, _ queries: SQLQueries) throws(StorageError) -> [[Value]]? {
        hasFailedToCompute = false
        let plan = try rangePlan(request.rows, isSorted: !request.isGrouped && !request.isDistinct)
        let text = try? queries.values(request, plan)
        guard let statement = try prepare(text), let kinds = text?.results else { return nil }
        defer { statement.reset() }
        var result: [[Value]] = []
        while try step(statement) {
            var values: [Value] = []
            values.reserveCapacity(kinds.count)
            for (column, kind) in kinds.enumerated() {
                let content = statement.column(Int32(column))
                guard let value = content.converted(to: kind) else {
                    throw SQLiteFailure.result(column, kind ?? .integer, isOverflow: content.isOverflow)
                }
                values.append(value)
            }
            result.append(values)
        }
        return result
    }

    /// Moves to the next row, and notes whether SQLite could not compute it.
    private func step(_ statement: SQLiteStatement) throws(StorageError) -> Bool {
        do throws(StorageError) { return try statement.step() } catch {
            // A prepared statement fails in this way if a sum of SQLite itself exceeds 64 bits. The sums of Coffer do
            // not fail for this reason, and fail in the same way for any other reason.
            hasFailedToCompute = connection?.hasGenericFailure == true
            throw error
        }
    }

    func row(root: Int, key: Int64) throws(StorageError) -> Row? {
        let connection = try active()
        let statement: SQLiteStatement
        if let known = rowStatements[root] {
            statement = known
        } else {
            statement = try connection.rowStatement(tables.rowTexts[root], tables.decoders[root])
            rowStatements[root] = statement
        }
        statement.bind(key, 1)
        defer { statement.reset() }
        return try tables.decoders[root].onlyRow(statement)
    }

    func rows(root: Int, keys: [Int64]) throws(StorageError) -> [Row] {
        var rows: [Row] = []
        rows.reserveCapacity(keys.count)
        try forEachRow(root: root, keys: keys) { rows.append($0) }
        return rows
    }

    func forEachRow(root: Int, keys: [Int64], _ body: (consuming Row) -> Void) throws(StorageError) {
        let decoder = tables.decoders[root]
        try forEachChunk(keys, decoder) { (count) in
            tables.queries.rows(root: root, count: count)
        } _: {
            (statement) throws(StorageError) in
            _ = try decoder.forEachRow(statement, body)
        }
    }

    /// Runs a statement for the keys, in chunks of as many keys as a statement can bind.
    ///
    /// The number of keys is padded, so that few statements are prepared.
    func forEachChunk(
        _ keys: [Int64], _ maker: (any SQLiteRowMaker)? = nil, _ text: (Int) -> String,
        _ body: (SQLiteStatement) throws(StorageError) -> Void
    ) throws(StorageError) {
        let connection = try active()
        let limit = 1 << (Int.bitWidth - 1 - min(max(1, connection.variableLimit), 16_384).leadingZeroBitCount)
        var start = 0
        while start < keys.count {
            let chunk = keys[start..<min(start + limit, keys.count)]
            let padded = SQLStatement.paddedCount(chunk.count)
            let statement: SQLiteStatement
            if let maker {
                statement = try connection.rowStatement(text(padded), maker)
            } else {
                statement = try connection.statement(text(padded))
            }
            defer { statement.reset() }
            for index in 0..<padded {
                statement.bind(
                    index < chunk.count ? keys[start + index] : keys[start + chunk.count - 1], Int32(index + 1))
            }
            try body(statement)
            start += chunk.count
        }
    }
}
