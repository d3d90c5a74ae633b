import CofferEvaluation
import CofferSQL
import CofferStorage
import CofferStorageTools

/// Reads rows, counts and values from one snapshot; repeats a read after a lost connection; splits long lists of keys.
// Not Sendable: one thread at a time uses the reader, as StorageReader requires.
final class PostgreSQLReader: LinkReader, CancellableReader {
    let tables: PostgreSQLTables
    /// The servers of the store; nil if the connection belongs to another caller.
    private let servers: PostgreSQLServers?
    private var loan: PostgreSQLLoan?
    private var isFinished = false
    /// Whether the snapshot must be a snapshot of the primary.
    private let isCurrent: Bool
    /// Whether the snapshot has answered a request.
    private var hasAnswered = false
    /// The canceller of the running statement.
    let canceller = Locked<PostgreSQLCanceller?>(nil)
    private var layout: ModelLayout { tables.layout }

    /// - Parameter isCurrent: whether the reader must show all commits of other processes before its first request.
    init(_ tables: PostgreSQLTables, _ servers: PostgreSQLServers, isCurrent: Bool) {
        self.tables = tables
        self.servers = servers
        self.isCurrent = isCurrent
    }

    /// Creates a reader inside the current transaction of a connection.
    init(_ tables: PostgreSQLTables, within connection: PostgreSQLConnection) {
        self.tables = tables
        servers = nil
        isCurrent = true
        loan = PostgreSQLLoan(connection: connection)
    }

    deinit { finish() }

    func finish() {
        isFinished = true
        giveBack()
    }

    /// Gives the connection back; from then on, no cancellation must end a statement on it.
    ///
    /// - Returns: whether the connection had a canceller.
    @discardableResult
    private func giveBack() -> Bool {
        guard let loan = loan.take() else { return false }
        let isWatched = canceller.withLock { $0.take() != nil }
        loan.giveBack()
        return isWatched
    }

    /// Returns the connection, after its snapshot has begun.
    ///
    /// If the last connection was lost, and an error has reported the loss, the result is another connection with a
    /// later snapshot.
    func active() throws(StorageError) -> PostgreSQLConnection {
        if let loan, loan.keepsSnapshot { return loan.connection }
        let isWatched = giveBack()
        guard !isFinished, let servers else { throw PostgreSQLPool.closed }
        let taken = try servers.lend(isCurrent: isCurrent)
        if isWatched { canceller.withLock { $0 = taken.connection.canceller } }
        loan = taken
        hasAnswered = false
        return taken.connection
    }

    func makeCanceller() throws(StorageError) -> @Sendable () -> Void {
        let running = try active().canceller
        canceller.withLock { $0 = running }
        return { [canceller] in canceller.withLock { $0?.cancel() } }
    }

    /// Runs the body with the connection; after some failures, runs it again with a connection to the primary.
    ///
    /// The body runs again if a replica fails before its snapshot has answered a request, or if the connection was
    /// lost with its first statement.
    func ask<Answer>(
        repetitions: Int = 3, _ body: (PostgreSQLConnection) throws(StorageError) -> Answer
    ) throws(StorageError) -> Answer {
        let connection = try active()
        do throws(StorageError) {
            let answer = try body(connection)
            hasAnswered = true
            return answer
        } catch {
            guard let loan, loan.replica != nil || loan.isLostAtFirst, isFault(of: loan) else { throw error }
            loan.replica?.pause(error)
            if hasAnswered || repetitions == 0 { throw error }
            try leave(loan, error)
            return try ask(repetitions: repetitions - 1, body)
        }
    }

    /// Continues with the primary, unless the failed statement was cancelled.
    private func leave(_ failed: PostgreSQLLoan, _ error: StorageError) throws(StorageError) {
        loan = nil
        // The connection is not used again, because a cancellation at this moment would end a statement of another
        // caller.
        failed.giveBack(isSound: false)
        guard let servers else { throw error }
        let taken = try servers.lend(isCurrent: true)
        try canceller.withLock { canceller throws(StorageError) in
            guard !failed.connection.isSpoiled else {
                taken.giveBack()
                throw error
            }
            if canceller != nil { canceller = taken.connection.canceller }
        }
        loan = taken
    }

    /// Returns the result of a statement; nil if the reference evaluator must answer the request.
    ///
    /// - Parameter statement: nil for a request that the dialect cannot express.
    private func result(_ statement: SQLStatement?) throws(StorageError) -> PostgreSQLResult? {
        guard let statement, statement.bindings.count <= 65_535 else { return nil }
        return try ask { connection throws(StorageError) in try run(statement, on: connection) }
    }

    /// Runs a statement; returns nil if the reference evaluator must answer the request.
    private func run(
        _ statement: SQLStatement, on connection: PostgreSQLConnection
    ) throws(StorageError) -> PostgreSQLResult? {
        let parameters = PostgreSQLParameters(statement.bindings)
        guard statement.computes || isLarge(statement) else { return try connection.query(statement.text, parameters) }
        // The server may fail although the evaluator does not. The snapshot must outlive the failure.
        do throws(StorageError) {
            return try connection.savepoint { () throws(StorageError) in
                try connection.query(statement.text, parameters)
            }
        } catch {
            guard connection.lastFailure?.isBeyondServer == true else { throw error }
            return nil
        }
    }

    /// Whether the server may refuse a statement because it nests too deeply.
    private func isLarge(_ statement: SQLStatement) -> Bool { statement.text.utf8.count > 16_384 }

    /// Returns the answer of the reference evaluator, over the rows that the conditions in SQL find.
    private func evaluated<Result>(
        _ request: RowRequest, _ answer: (ReferenceEvaluator, SQLRows) throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        var candidates: RowRequest? = tables.queries.superset(of: request)
        // Candidates are useless if they have the condition of the request itself, or if parts of it are nested too
        // deeply.
        if candidates?.predicate == request.predicate { candidates = nil }
        if let some = candidates, let statement = try? tables.queries.rows(some), isLarge(statement) {
            candidates = nil
        }
        return try SQLRows.evaluate(self, layout, among: candidates, answer)
    }

    func rows(_ request: RowRequest) throws(StorageError) -> [Row] {
        var rows: [Row] = []
        try forEachRow(request) { rows.append($0) }
        return rows
    }

    func forEachRow(_ request: RowRequest, _ body: (consuming Row) -> Void) throws(StorageError) {
        try layout.check(request)
        let unordered = try? tables.queries.unorderedRows(request)
        guard let found = try result(unordered ?? (try? tables.queries.rows(request))) else {
            return try evaluated(request) { $0.rows(request, in: $1) }.forEach(body)
        }
        let decoder = tables.decoder(request.entity, includesSubentities: request.includesSubentities)
        if unordered == nil || found.hasAscendingKeys { return try decoder.forEachRow(found, body) }
        var rows: [Row] = []
        rows.reserveCapacity(found.rowCount)
        try decoder.forEachRow(found) { rows.append($0) }
        SQLQueries.orderByKey(&rows)
        rows.forEach(body)
    }

    func keys(_ request: RowRequest) throws(StorageError) -> [Int64] {
        try layout.check(request)
        guard let result = try result(try? tables.queries.keys(request)) else {
            return try evaluated(request) { $0.rows(request, in: $1) }.map(\.key)
        }
        return result.keys
    }

    func count(_ request: RowRequest) throws(StorageError) -> Int {
        try layout.check(request)
        guard let result = try result(try? tables.queries.count(request)) else {
            return try evaluated(request) { $0.count(request, in: $1) }
        }
        return Int(result.integer(0, 0))
    }

    func values(_ request: ValueRequest) throws(StorageError) -> [[Value]] {
        try layout.check(request)
        if let values = try request.readingSkipped({ (all) throws(StorageError) -> [[Value]]? in
            guard let statement = try? tables.queries.values(all), let result = try result(statement) else {
                return nil
            }
            return values(result, statement.results)
        }) {
            return values
        }
        return try evaluated(request.rows) { evaluator, rows throws(StorageError) in
            try evaluator.values(request, in: rows)
        }
    }

    /// Returns the values of a result; nil if a value has more digits than its kind.
    private func values(_ rows: PostgreSQLResult, _ kinds: [ColumnKind?]) -> [[Value]]? {
        var result: [[Value]] = []
        result.reserveCapacity(rows.rowCount)
        for row in 0..<rows.rowCount {
            var values: [Value] = []
            values.reserveCapacity(kinds.count)
            for (column, kind) in kinds.enumerated() {
                guard let value = rows.value(row, column, as: kind) else { return nil }
                values.append(value)
            }
            result.append(values)
        }
        return result
    }

    func row(root: Int, key: Int64) throws(StorageError) -> Row? { try rows(root: root, keys: [key]).first }

    func rows(root: Int, keys: [Int64]) throws(StorageError) -> [Row] {
        var rows: [Row] = []
        rows.reserveCapacity(keys.count)
        try forEachRow(root: root, keys: keys) { rows.append($0) }
        return rows
    }

    func forEachRow(root: Int, keys: [Int64], _ body: (consuming Row) -> Void) throws(StorageError) {
        try forEachChunk(keys, tables.rowTexts[root]) { rows, _ throws(StorageError) in
            try tables.decoders[root].forEachRow(rows, body)
        }
    }

    func related(_ relationship: Int, of owners: [Int64]) throws(StorageError) -> [RelatedRows] {
        let isOrdered = layout.relationships[relationship].isOrdered
        return try RelatedRows.grouped(isOrdered: isOrdered) { (add) throws(StorageError) in
            try forEachRelated(relationship, of: owners, add)
        }
    }

    func forEachRelated(
        _ relationship: Int, of owners: [Int64], _ body: (_ owner: Int64, _ row: consuming Row) -> Void
    ) throws(StorageError) {
        let decoder = tables.decoders[layout.relationships[relationship].destination]
        let owners = Array(Set(owners)).sorted()
        guard case .inverse(let ownerSlot, let positionSlot) = layout.relationships[relationship].storage else {
            try forEachChunk(owners, tables.queries.related(relationship, count: 1)) { rows, _ throws(StorageError) in
                var index = 0
                try decoder.forEachRow(rows) { row throws(StorageError) in
                    body(rows.integer(index, decoder.columnCount), row)
                    index += 1
                }
            }
            return
        }
        let text = tables.queries.related(relationship, count: 1, isOrdered: false)
        try forEachChunk(owners, text) { rows, owners throws(StorageError) in
            guard let positionSlot else {
                return try decoder.forEachRow(rows) { row throws(StorageError) in body(row.integer(ownerSlot), row) }
            }
            // The rows of different owners are mixed in the table. Grouping them takes less work than sorting them.
            var groups = SQLOwnerGroups(OwnerPlaces(Array(owners)), positionSlot: positionSlot)
            try decoder.forEachRow(rows) { row throws(StorageError) in groups.add(row, of: row.integer(ownerSlot)) }
            groups.forEach(body)
        }
    }

    /// Runs a statement for some keys at a time; while one answer is read, the server works on the next answer.
    func forEachChunk(
        _ keys: [Int64], _ text: String,
        _ body: (_ rows: PostgreSQLResult, _ keys: ArraySlice<Int64>) throws(StorageError) -> Void
    ) throws(StorageError) {
        var rest = keys[...]
        var size = 256
        func next() -> (parameters: PostgreSQLParameters, keys: ArraySlice<Int64>)? {
            guard !rest.isEmpty else { return nil }
            let chunk = rest.prefix(size)
            var parameters = PostgreSQLParameters()
            parameters.append(keys: chunk)
            rest = rest.dropFirst(size)
            size = min(size * 2, 4_096)
            return (parameters, chunk)
        }
        guard let start = next() else { return }
        var chunk = start.keys
        var rows = try ask { connection throws(StorageError) in try connection.query(text, start.parameters) }
        // The other answers must be of the same snapshot.
        guard let connection = loan?.connection else { throw PostgreSQLPool.closed }
        while let (parameters, keys) = next() {
            let ticket = try goOn { () throws(StorageError) in try connection.send(text, parameters) }
            try body(rows, chunk)
            rows = try goOn { () throws(StorageError) in try connection.receive(ticket, text, parameters) }
            chunk = keys
        }
        try body(rows, chunk)
    }

    /// Runs a body that needs the snapshot of earlier answers.
    private func goOn<Answer>(_ body: () throws(StorageError) -> Answer) throws(StorageError) -> Answer {
        do throws(StorageError) {
            return try body()
        } catch {
            if let loan, isFault(of: loan) { loan.replica?.pause(error) }
            throw error
        }
    }

    /// Whether the server has failed, and not the request.
    private func isFault(of loan: PostgreSQLLoan) -> Bool {
        let failure = loan.connection.lastFailure
        return !loan.connection.isSpoiled && failure?.isBeyondServer != true && failure?.state != "57014"
    }
}
