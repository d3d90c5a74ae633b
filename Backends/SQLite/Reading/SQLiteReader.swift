import CofferSQL
import CofferStorage

/// Reads one snapshot: a connection with a read transaction, begun at first use.
// Sendable: not; used by one thread at a time, as StorageReader says.
final class SQLiteReader: LinkReader {
    let session: SQLiteSession
    private var connection: SQLiteConnection?
    private var rowStatements: [SQLiteStatement?]
    private var isStarted = false
    private let isBorrowing: Bool

    convenience init(_ session: SQLiteSession, _ connection: SQLiteConnection) {
        self.init(session, connection, isBorrowing: false)
    }

    /// A reader of what the transaction sees that a connection is in.
    convenience init(_ session: SQLiteSession, borrowing connection: SQLiteConnection) {
        self.init(session, connection, isBorrowing: true)
    }

    private init(_ session: SQLiteSession, _ connection: SQLiteConnection, isBorrowing: Bool) {
        self.session = session
        self.connection = connection
        self.isBorrowing = isBorrowing
        isStarted = isBorrowing
        rowStatements = Array(repeating: nil, count: session.schema.layout.entities.count)
    }

    deinit { finish() }

    func finish() {
        guard let connection else { return }
        self.connection = nil
        rowStatements = []
        if !isBorrowing { session.giveBack(connection) }
    }

    /// The connection, with its snapshot begun.
    @inline(__always)
    func active() throws(StorageError) -> SQLiteConnection {
        guard let connection else { throw SQLiteSession.closed }
        if !isStarted {
            try connection.run("BEGIN")
            isStarted = true
        }
        return connection
    }

    /// Nil when the statement nests too deeply for SQLite.
    private func prepare(
        _ request: () throws(SQLUnsupportedExpression) -> SQLStatement
    ) throws(StorageError) -> (statement: SQLiteStatement, results: [ColumnKind?])? {
        let connection = try active()
        let statement: SQLStatement
        do throws(SQLUnsupportedExpression) { statement = try request() } catch { return nil }
        guard statement.bindings.count <= connection.variableLimit else {
            throw .invalidRequest(
                "A request has \(statement.bindings.count) values, more than SQLite can bind. Split it.")
        }
        let prepared: SQLiteStatement
        do throws(StorageError) {
            prepared = try connection.statement(statement.text)
        } catch {
            if SQLiteFailure.isTooDeep(error) { return nil }
            throw error
        }
        try prepared.bind(statement.bindings)
        return (prepared, statement.results)
    }

    /// The answer of the reference evaluator, for what SQLite cannot parse.
    private func evaluated<Result>(
        _ answer: (ReferenceEvaluator, SQLRows) throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        try SQLRows.evaluate(self, session.schema.layout, answer)
    }

    func rows(_ request: RowRequest) throws(StorageError) -> [Row] {
        var rows: [Row] = []
        if let limit = request.limit { rows.reserveCapacity(min(max(0, limit), 1024)) }
        try forEachRow(request) { rows.append($0) }
        return rows
    }

    func forEachRow(_ request: RowRequest, _ body: (consuming Row) -> Void) throws(StorageError) {
        try session.schema.layout.check(request)
        if let rows = try rowsOfList(request) { return rows.forEach(body) }
        guard
            let statement = try prepare({ () throws(SQLUnsupportedExpression) in try session.requests.rows(request) })?
                .statement
        else {
            return try evaluated { $0.rows(request, in: $1) }.forEach(body)
        }
        defer { statement.reset() }
        try session.decoder(request.entity, includesSubentities: request.includesSubentities)
            .forEachRow(statement, body)
    }

    /// The rows of a request for the values of a long list, in the order of their keys; nil for other requests.
    private func rowsOfList(_ request: RowRequest) throws(StorageError) -> [Row]? {
        let list: SQLStatement?
        do throws(SQLUnsupportedExpression) { list = try session.requests.unorderedRows(request) } catch { return nil }
        guard let list, let (statement, _) = try prepare({ () throws(SQLUnsupportedExpression) in list }) else { return nil }
        defer { statement.reset() }
        var rows: [Row] = []
        try session.decoder(request.entity, includesSubentities: request.includesSubentities)
            .forEachRow(statement) { rows.append($0) }
        SQLQueries.orderByKey(&rows)
        return rows
    }

    func keys(_ request: RowRequest) throws(StorageError) -> [Int64] {
        try session.schema.layout.check(request)
        guard
            let statement = try prepare({ () throws(SQLUnsupportedExpression) in try session.requests.keys(request) })?
                .statement
        else {
            return try evaluated { $0.rows(request, in: $1) }.map(\.key)
        }
        defer { statement.reset() }
        var keys: [Int64] = []
        while try statement.step() { keys.append(statement.integer(0)) }
        return keys
    }

    func count(_ request: RowRequest) throws(StorageError) -> Int {
        try session.schema.layout.check(request)
        guard
            let statement = try prepare({ () throws(SQLUnsupportedExpression) in try session.requests.count(request) })?
                .statement
        else {
            return try evaluated { $0.count(request, in: $1) }
        }
        defer { statement.reset() }
        return try statement.step() ? Int(statement.integer(0)) : 0
    }

    func values(_ request: ValueRequest) throws(StorageError) -> [[Value]] {
        try session.schema.layout.check(request)
        do {
            if let values = try values(request, session.requests) { return values }
            return try evaluated { evaluator, rows throws(StorageError) in try evaluator.values(request, in: rows) }
        } catch {
            guard error.code == .invalidValue, error.cause?.hasSuffix(SQLiteTotal.integerOverflow) == true else {
                throw error
            }
            // Results that the offset skips count: they too must be sums that can be kept.
            var request = request
            let skipped = max(0, request.rows.offset)
            request.rows.offset = 0
            request.rows.limit = request.rows.limit.map { max(0, $0).addingReportingOverflow(skipped) }
                .map { $0.overflow ? .max : $0.partialValue }
            return Array((try values(request, session.wideRequests) ?? []).dropFirst(skipped))
        }
    }

    private func values(_ request: ValueRequest, _ requests: SQLQueries) throws(StorageError) -> [[Value]]? {
        let prepared = try prepare { () throws(SQLUnsupportedExpression) in try requests.values(request) }
        guard let (statement, kinds) = prepared else { return nil }
        defer { statement.reset() }
        var result: [[Value]] = []
        while try statement.step() {
            var values: [Value] = []
            values.reserveCapacity(kinds.count)
            for (column, kind) in kinds.enumerated() {
                guard let value = statement.converted(Int32(column), to: kind) else {
                    throw SQLiteFailure.result(statement.string(Int32(column)), column, kind ?? .integer)
                }
                values.append(value)
            }
            result.append(values)
        }
        return result
    }

    func row(root: Int, key: Int64) throws(StorageError) -> Row? {
        let connection = try active()
        let statement: SQLiteStatement
        if let known = rowStatements[root] {
            statement = known
        } else {
            statement = try connection.statement(session.rowTexts[root])
            rowStatements[root] = statement
        }
        statement.bind(key, 1)
        defer { statement.reset() }
        return try statement.step() ? try session.decoders[root].row(statement) : nil
    }

    func rows(root: Int, keys: [Int64]) throws(StorageError) -> [Row] {
        var rows: [Row] = []
        rows.reserveCapacity(keys.count)
        try forEachRow(root: root, keys: keys) { rows.append($0) }
        return rows
    }

    func forEachRow(root: Int, keys: [Int64], _ body: (consuming Row) -> Void) throws(StorageError) {
        let decoder = session.decoders[root]
        try forEachChunk(keys) { (count) in
            session.requests.rows(root: root, count: count)
        } _: {
            (statement) throws(StorageError) in
            try decoder.forEachRow(statement, body)
        }
    }

    func related(_ relationship: Int, of owners: [Int64]) throws(StorageError) -> [RelatedRows] {
        var result: [RelatedRows] = []
        try forEachRelated(relationship, of: owners) { owner, row in
            if result.last?.owner != owner { result.append(RelatedRows(owner: owner, rows: [])) }
            result[result.count - 1].rows.append(row)
        }
        return result
    }

    func forEachRelated(
        _ relationship: Int, of owners: [Int64], _ body: (_ owner: Int64, _ row: consuming Row) -> Void
    ) throws(StorageError) {
        let decoder = session.decoders[session.schema.layout.relationships[relationship].destination]
        let ownerSlot = session.requests.ownerSlot(relationship)
        var sorted = owners
        var isSorted = true
        for index in owners.indices.dropFirst() where owners[index - 1] >= owners[index] { isSorted = false }
        if !isSorted { sorted = Array(Set(owners)).sorted() }
        try forEachChunk(sorted) { (count) in
            session.requests.related(relationship, count: count)
        } _: {
            (statement) throws(StorageError) in
            if let ownerSlot {
                try decoder.forEachRow(statement) { row in body(row.integer(ownerSlot), row) }
            } else {
                let column = decoder.columnCount
                try decoder.forEachRow(statement) { row in body(statement.column(column).integer, row) }
            }
        }
    }

    /// Runs a statement for as many keys at a time as can be bound.
    ///
    /// Their number is padded, so that few are prepared.
    func forEachChunk(
        _ keys: [Int64], _ text: (Int) -> String, _ body: (SQLiteStatement) throws(StorageError) -> Void
    ) throws(StorageError) {
        let connection = try active()
        let limit = 1 << (Int.bitWidth - 1 - min(max(1, connection.variableLimit), 16_384).leadingZeroBitCount)
        var start = 0
        while start < keys.count {
            let chunk = keys[start..<min(start + limit, keys.count)]
            let padded = SQLStatement.paddedCount(chunk.count)
            let statement = try connection.statement(text(padded))
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
