import CofferCLibPQ
import CofferSQL
import CofferStorage
import Foundation

/// A connection to the server: sets its time limits, runs statements, and caches up to 256 prepared statements.
// Sendable: one thread at a time uses a connection. It took the connection from the pool, or has the lock of the
// writer or of its pending request.
final class PostgreSQLConnection: SQLConnection, @unchecked Sendable {
    private struct Shape: Hashable {
        let text: String
        let types: [UInt32]
    }

    private struct Prepared {
        let name: String
        var lastUse: Int
    }

    let address: PostgreSQLAddress
    private let handle: PostgreSQLHandle
    private let options: PostgreSQLConfiguration
    private let pipeline: PostgreSQLPipeline?
    private var statements: [Shape: Prepared] = [:]
    private var clock = 0
    private static let statementLimit = 256
    /// Whether a command was sent whose answer was not read yet.
    private var isAnswerPending = false
    /// The number of this command, if a caller may request its answer.
    private var ticket: Int?
    /// The statements that begin the current transaction, until they are sent with its first statement.
    private var beginning: String?
    /// Whether these statements were sent, and no answer has arrived since.
    private var isBeginning = false
    /// Whether commands of a pipeline were left unanswered.
    private var isStuck = false
    /// The time at which the connection was last given back.
    var idleSince = Date()
    /// Whether the server was verified to have the store.
    var isVerified = false
    /// The last error that the server or libpq reported.
    var lastFailure: PostgreSQLFailure?

    /// - Parameter pipeline: nil if libpq has no pipeline mode.
    init(
        _ address: PostgreSQLAddress, _ options: PostgreSQLConfiguration,
        pipeline: PostgreSQLPipeline? = .available
    ) throws(StorageError) {
        guard
            let handle = PostgreSQLHandle(address.options, address, checkInterval: options.serverCheckInterval)
        else {
            throw StorageError(.failed, "There is not enough memory to connect to '\(address.name)'.")
        }
        self.handle = handle
        self.address = address
        self.options = options
        self.pipeline = pipeline
        guard PQstatus(handle.pointer) == CONNECTION_OK else {
            throw PostgreSQLFailure(connection: handle.pointer, isOpening: true).storageError(address.name)
        }
        if options.keepsStatements { try execute(settings(isLocal: false)) }
    }

    /// Returns the statements that set the schema, the warnings and the time limits.
    private func settings(isLocal: Bool) -> String {
        let set = isLocal ? "SET LOCAL" : "SET"
        var text = "\(set) search_path TO \(PostgreSQLIdentifier.quoted(address.schema))"
        // The store needs the warnings of a commit, whatever the user or the database has set.
        text += "; \(set) client_min_messages TO warning"
        text += "; \(set) lock_timeout TO \(Self.milliseconds(options.busyTimeLimit))"
        if let limit = options.statementTimeLimit {
            text += "; \(set) statement_timeout TO \(Self.milliseconds(limit))"
        }
        if let limit = options.idleTimeLimit {
            text += "; \(set) idle_in_transaction_session_timeout TO \(Self.milliseconds(limit))"
        }
        return text
    }

    private static func milliseconds(_ seconds: Double) -> Int32 {
        Int32(clamping: Int((max(0.001, min(seconds, 1_000_000)) * 1000).rounded()))
    }

    /// Whether the server is reachable, as far as is known.
    var isUsable: Bool { PQstatus(handle.pointer) == CONNECTION_OK && !isStuck }
    /// Whether the connection was ended because the server did not answer.
    var isSilent: Bool { handle.isSilent }

    /// The canceller of the statements of this connection.
    private(set) lazy var canceller = PostgreSQLCanceller(handle.pointer, waitingFor: address.connectTimeout)
    /// Whether a cancellation may still end a later statement.
    var isSpoiled: Bool { canceller.wasUsed }

    /// Whether there is a current transaction that can still run statements.
    var keepsSnapshot: Bool { isUsable && isInTransaction && PQtransactionStatus(handle.pointer) != PQTRANS_INERROR }

    /// Whether a transaction is active.
    var isInTransaction: Bool { beginning != nil || PQtransactionStatus(handle.pointer) != PQTRANS_IDLE }

    /// Whether a statement would be a separate transaction, as far as is known without asking the server.
    var isReady: Bool {
        guard options.keepsStatements, !isAnswerPending else { return false }
        // A server that ends the connection first sends a message. The first call reads the message, and the second
        // call finds the end of the connection.
        guard PQconsumeInput(handle.pointer) == 1, PQconsumeInput(handle.pointer) == 1 else { return false }
        return isUsable && !isInTransaction
    }

    /// Whether the server answers.
    func answers() -> Bool { isUsable && (try? execute("")) != nil }

    // MARK: Statements

    /// Begins a transaction, and runs another statement in the same round trip.
    @discardableResult
    func begin(_ kind: String = "", then statement: String? = nil) throws(StorageError) -> PostgreSQLResult {
        try execute(beginning(kind) + (statement.map { "; \($0)" } ?? ""))
    }

    /// Returns the statements that begin a transaction.
    func beginning(_ kind: String) -> String {
        let begin = "BEGIN" + kind
        return options.keepsStatements ? begin : "\(begin); \(settings(isLocal: true))"
    }

    /// Begins a transaction together with its first statement, in one round trip and not two.
    ///
    /// If this is not possible, or if the connection seems to be lost, the transaction begins at once.
    func beginWithFirstStatement(_ kind: String = "") throws(StorageError) {
        waitForAnswer()
        guard isReady, pipeline != nil else {
            try begin(kind)
            return
        }
        beginning = "BEGIN" + kind
    }

    private func beginNow() throws(StorageError) {
        if let beginning = takeBeginning() { _ = try checked(handle.run(beginning)) }
    }

    private func takeBeginning() -> String? {
        defer { beginning = nil }
        if let beginning { options.onStatement?(beginning) }
        isBeginning = beginning != nil
        return beginning
    }

    /// Whether the connection was lost at the first statement of a transaction; another connection can repeat it.
    var isLostAtFirst: Bool { isBeginning && !isUsable && !isSilent }

    /// Runs statements that have no values, and returns the result of the last statement.
    @discardableResult
    func execute(_ text: String) throws(StorageError) -> PostgreSQLResult {
        waitForAnswer()
        let beginning = takeBeginning()
        options.onStatement?(text)
        return try checked(handle.run(beginning.map { "\($0); \(text)" } ?? text))
    }

    /// Runs statements that have no values, in one round trip, and returns the result of each statement.
    func executeEach(_ text: String) throws(StorageError) -> [PostgreSQLResult] {
        waitForAnswer()
        options.onStatement?(text)
        guard PQsendQuery(handle.pointer, text) == 1 else { throw failed(libpqFailure) }
        var results: [PostgreSQLResult] = []
        do throws(StorageError) {
            while let result = handle.next() { results.append(try checked(result)) }
        } catch {
            handle.skip()
            throw error
        }
        return results
    }

    /// Runs a statement, which is prepared once.
    func query(
        _ text: String, _ parameters: PostgreSQLParameters = PostgreSQLParameters()
    ) throws(StorageError) -> PostgreSQLResult {
        waitForAnswer()
        if let pipeline, beginning != nil { return try beginAndQuery(text, parameters, in: pipeline) }
        let name = options.keepsStatements ? try prepared(text, parameters.types) : nil
        options.onStatement?(text)
        return try checked(handle.run { send(name, text, parameters) })
    }

    /// Runs a statement without a result.
    func run(_ text: String, _ values: [Value]) throws(StorageError) {
        _ = try query(text, PostgreSQLParameters(values))
    }

    /// Returns the strings in the first column of a result, without nulls.
    func texts(_ text: String, _ values: [Value]) throws(StorageError) -> [String] {
        let result = try query(text, PostgreSQLParameters(values))
        return (0..<result.rowCount).compactMap { result.string($0, 0) }
    }

    /// Sends a statement, by its name if it is prepared; returns another number than 1 if this fails.
    private func send(_ name: String?, _ text: String, _ parameters: PostgreSQLParameters) -> Int32 {
        let pointer = handle.pointer
        return parameters.withArrays { count, values, lengths, formats in
            if let name { return PQsendQueryPrepared(pointer, name, count, values, lengths, formats, 1) }
            return PQsendQueryParams(pointer, text, count, parameters.types, values, lengths, formats, 1)
        }
    }

    /// Runs the beginning of a transaction and its first statement, which is prepared if necessary.
    private func beginAndQuery(
        _ text: String, _ parameters: PostgreSQLParameters, in pipeline: PostgreSQLPipeline
    ) throws(StorageError) -> PostgreSQLResult {
        clock += 1
        let shape = Shape(text: text, types: parameters.types)
        let known = statements[shape]?.name
        if known == nil, statements.count >= Self.statementLimit { try evict() }
        let name = known ?? "coffer_\(clock)"
        let beginning = takeBeginning()
        options.onStatement?(text)
        let outcome = pipeline.run(handle, count: known == nil ? 3 : 2) {
            let pointer = handle.pointer
            guard PQsendQueryParams(pointer, beginning, 0, nil, nil, nil, nil, 1) == 1 else { return false }
            if known == nil, PQsendPrepare(pointer, name, text, Int32(shape.types.count), shape.types) != 1 {
                return false
            }
            return send(name, text, parameters) == 1
        }
        isStuck = !outcome.isOver
        if outcome.doneCount > 1 { statements[shape] = Prepared(name: name, lastUse: clock) }
        return try checked(outcome.answer)
    }

    /// Sends a statement, on which the server works while the caller does other things.
    ///
    /// If another statement runs before the answer was received, the answer is discarded.
    ///
    /// - Returns: the ticket for ``receive(_:_:_:)``.
    func send(_ text: String, _ parameters: PostgreSQLParameters) throws(StorageError) -> Int {
        waitForAnswer()
        try beginNow()
        let name = options.keepsStatements ? try prepared(text, parameters.types) : nil
        options.onStatement?(text)
        guard send(name, text, parameters) == 1 else { throw failed(libpqFailure) }
        clock += 1
        (isAnswerPending, ticket) = (true, clock)
        return clock
    }

    /// Returns the answer to a sent statement; runs the statement again if its answer was discarded.
    func receive(
        _ ticket: Int, _ text: String, _ parameters: PostgreSQLParameters
    ) throws(StorageError) -> PostgreSQLResult {
        guard self.ticket == ticket else { return try query(text, parameters) }
        (isAnswerPending, self.ticket) = (false, nil)
        return try checked(handle.last())
    }

    /// Runs a statement that reads all bytes that the body sends.
    func copy(
        _ text: String, _ body: ((_ send: [UInt8]) throws(StorageError) -> Void) throws(StorageError) -> Void
    ) throws(StorageError) {
        waitForAnswer()
        try beginNow()
        options.onStatement?(text)
        let result = handle.run(text)
        guard PQresultStatus(result) == PGRES_COPY_IN else {
            _ = try checked(result)
            return
        }
        PQclear(result)
        do throws(StorageError) {
            try body { bytes throws(StorageError) in
                let code = bytes.withUnsafeBytes { bytes in
                    PQputCopyData(handle.pointer, bytes.baseAddress, Int32(clamping: bytes.count))
                }
                guard code == 1, handle.flush() else { throw failed(libpqFailure) }
            }
        } catch {
            PQputCopyEnd(handle.pointer, "cancelled")
            handle.skip()
            throw error
        }
        guard PQputCopyEnd(handle.pointer, nil) == 1 else { throw failed(libpqFailure) }
        _ = try checked(handle.last())
    }

    /// Returns the name of a statement, which is prepared at its first use.
    func prepared(_ text: String, _ types: [UInt32]) throws(StorageError) -> String {
        clock += 1
        let shape = Shape(text: text, types: types)
        if let known = statements[shape] {
            statements[shape]?.lastUse = clock
            return known.name
        }
        if statements.count >= Self.statementLimit { try evict() }
        let name = "coffer_\(clock)"
        _ = try checked(handle.run { PQsendPrepare(handle.pointer, name, text, Int32(types.count), types) })
        statements[shape] = Prepared(name: name, lastUse: clock)
        return name
    }

    private func evict() throws(StorageError) {
        let old = statements.sorted { $0.value.lastUse < $1.value.lastUse }.prefix(Self.statementLimit / 4)
        for (shape, prepared) in old {
            _ = try checked(handle.run("DEALLOCATE \(prepared.name)"))
            statements[shape] = nil
        }
    }

    /// Sends a request without waiting for the answer, which must be read before any other command.
    ///
    /// - Returns: whether there will be an answer.
    func ask(_ text: String) -> Bool {
        waitForAnswer()
        options.onStatement?(text)
        return PQsendQuery(handle.pointer, text) == 1
    }

    /// Returns the answer to the request; nil if the request failed.
    func answer() -> PostgreSQLResult? {
        var answer: PostgreSQLResult?
        while let result = handle.next() {
            let isAnswer = PQresultStatus(result) == PGRES_TUPLES_OK
            let owned = PostgreSQLResult(result)
            if isAnswer { answer = owned }
        }
        return answer
    }

    /// Discards the beginning of a transaction; returns false if it was already sent.
    func dropBeginning() -> Bool { beginning.take() != nil }

    /// Returns the last warning of the server itself since the previous call.
    func takeWarning() -> PostgreSQLWarning? { handle.takeWarning() }

    /// Ends the transaction without waiting for the answer of the server.
    func endLater() {
        waitForAnswer()
        beginning = nil
        guard isInTransaction else { return }
        options.onStatement?("COMMIT")
        isAnswerPending = PQsendQuery(handle.pointer, "COMMIT") == 1
    }

    private func waitForAnswer() {
        guard isAnswerPending else { return }
        (isAnswerPending, ticket) = (false, nil)
        handle.skip()
    }

    /// Rolls back the current transaction, if there is one.
    func rollBack() {
        waitForAnswer()
        beginning = nil
        guard isUsable, isInTransaction else { return }
        PQclear(handle.run("ROLLBACK"))
    }

    private func checked(_ result: OpaquePointer?) throws(StorageError) -> PostgreSQLResult {
        let status = PQresultStatus(result)
        if let result, [PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY].contains(status) {
            lastFailure = nil
            isBeginning = false
            return PostgreSQLResult(result)
        }
        let failure = result.map { PostgreSQLFailure(result: $0, handle.pointer) } ?? libpqFailure
        PQclear(result)
        throw failed(failure)
    }

    private var libpqFailure: PostgreSQLFailure { PostgreSQLFailure(connection: handle.pointer) }

    private func failed(_ failure: PostgreSQLFailure) -> StorageError {
        var failure = failure
        failure.isSilent = isSilent
        lastFailure = failure
        return failure.storageError(address.name)
    }
}
