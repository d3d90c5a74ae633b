import CofferCLibPQ
import CofferStorage
import Foundation

/// One connection to the server, with the statements that it has prepared.
// Sendable: used by one thread at a time, which took it from the pool, or holds the lock of the writer or its question.
final class PostgreSQLConnection: @unchecked Sendable {
    private struct Shape: Hashable {
        let text: String
        let types: [UInt32]
    }

    private struct Prepared {
        let name: String
        var lastUse: Int
    }

    let address: PostgreSQLAddress
    private let handle: OpaquePointer
    private let configuration: PostgreSQLConfiguration
    private let pipeline: PostgreSQLPipeline?
    private var statements: [Shape: Prepared] = [:]
    private var clock = 0
    private static let statementLimit = 256
    /// Whether a command was sent whose answer nobody has waited for.
    private var isAnswerPending = false
    /// The number of that command, if somebody will want its answer.
    private var ticket: Int?
    /// What begins the transaction under way, until its first statement takes it along.
    private var beginning: String?
    /// Whether that was sent, and nothing was answered since.
    private var isBeginning = false
    /// Whether the commands of a pipeline were left unanswered.
    private var isStuck = false
    /// When the connection was given back last.
    var idleSince = Date()
    /// Whether the server was found to have the store.
    var isVerified = false
    /// What went wrong last.
    var lastFailure: PostgreSQLFailure?

    /// - Parameter pipeline: nil where libpq has none.
    init(
        _ address: PostgreSQLAddress, _ configuration: PostgreSQLConfiguration,
        pipeline: PostgreSQLPipeline? = .available
    ) throws(StorageError) {
        var options = [("dbname", address.connectionString), ("client_encoding", "UTF8")]
        options.append(("fallback_application_name", "coffer"))
        if !address.hasConnectTimeout { options.append(("connect_timeout", "10")) }
        options += address.overrides.map { ($0.key, $0.value) }
        guard let opened = Self.connect(options) else {
            throw StorageError(.failed, "There is not enough memory to connect to '\(address.name)'.")
        }
        handle = opened
        self.address = address
        self.configuration = configuration
        self.pipeline = pipeline
        guard PQstatus(opened) == CONNECTION_OK else {
            // What is thrown from here on ends the connection with `deinit`: everything has its value.
            throw PostgreSQLFailure(connection: opened, isOpening: true).storageError(address.name)
        }
        // Nobody reads what the server notices, and libpq would print it.
        PQsetNoticeProcessor(opened, { _, _ in }, nil)
        if configuration.keepsStatements { try execute(settings(isLocal: false)) }
    }

    deinit { PQfinish(handle) }

    private static func connect(_ options: [(String, String)]) -> OpaquePointer? {
        var keywords: [UnsafePointer<CChar>?] = options.map { UnsafePointer(strdup($0.0)) }
        var values: [UnsafePointer<CChar>?] = options.map { UnsafePointer(strdup($0.1)) }
        defer { for text in keywords + values { free(UnsafeMutablePointer(mutating: text)) } }
        keywords.append(nil)
        values.append(nil)
        return PQconnectdbParams(&keywords, &values, 1)
    }

    /// What a connection needs to know.
    private func settings(isLocal: Bool) -> String {
        let set = isLocal ? "SET LOCAL" : "SET"
        var text = "\(set) search_path TO \(PostgreSQLDialect().quoted(address.schema))"
        text += "; \(set) lock_timeout TO \(Self.milliseconds(configuration.busyTimeLimit))"
        if let limit = configuration.statementTimeLimit {
            text += "; \(set) statement_timeout TO \(Self.milliseconds(limit))"
        }
        if let limit = configuration.idleTimeLimit {
            text += "; \(set) idle_in_transaction_session_timeout TO \(Self.milliseconds(limit))"
        }
        return text
    }

    private static func milliseconds(_ seconds: Double) -> Int32 {
        Int32(clamping: Int((max(0.001, min(seconds, 1_000_000)) * 1000).rounded()))
    }

    /// Whether the server is there, as far as is known.
    var isUsable: Bool { PQstatus(handle) == CONNECTION_OK && !isStuck }

    /// Ends the statements of this connection.
    private(set) lazy var canceller = PostgreSQLCanceller(handle)
    /// Whether someone may have ended a statement that is yet to come.
    var isSpoiled: Bool { canceller.wasUsed }

    /// Whether the transaction under way is one that statements can still be run in.
    var keepsSnapshot: Bool { isUsable && isInTransaction && PQtransactionStatus(handle) != PQTRANS_INERROR }

    /// Whether a transaction is under way.
    var isInTransaction: Bool { beginning != nil || PQtransactionStatus(handle) != PQTRANS_IDLE }

    /// Whether a statement would be a transaction of its own, as far as can be told without asking the server.
    var isReady: Bool {
        guard configuration.keepsStatements, !isAnswerPending else { return false }
        // A server that ends the connection says so first: that is read, and only then that there is no more.
        guard PQconsumeInput(handle) == 1, PQconsumeInput(handle) == 1 else { return false }
        return isUsable && !isInTransaction
    }

    /// Whether the server answers.
    func answers() -> Bool { isUsable && (try? execute("")) != nil }

    // MARK: Running

    /// Begins a transaction, and runs another statement in the same round trip.
    @discardableResult
    func begin(_ kind: String = "", then statement: String? = nil) throws(StorageError) -> PostgreSQLResult {
        try execute(beginning(kind) + (statement.map { "; \($0)" } ?? ""))
    }

    /// What begins a transaction.
    func beginning(_ kind: String) -> String {
        let begin = "BEGIN" + kind
        return configuration.keepsStatements ? begin : "\(begin); \(settings(isLocal: true))"
    }

    /// Begins a transaction together with its first statement: one round trip and not two.
    ///
    /// At once where that cannot be, or where the connection was lost as far as can be told.
    func beginWithFirstStatement(_ kind: String = "") throws(StorageError) {
        waitForAnswer()
        guard isReady, pipeline != nil else {
            try begin(kind)
            return
        }
        beginning = "BEGIN" + kind
    }

    private func beginNow() throws(StorageError) {
        if let beginning = takeBeginning() { _ = try checked(PQexec(handle, beginning)) }
    }

    private func takeBeginning() -> String? {
        defer { beginning = nil }
        if let beginning { configuration.onStatement?(beginning) }
        isBeginning = beginning != nil
        return beginning
    }

    /// Whether the connection was lost with the first statement of a transaction, which can be tried on another.
    var isLostAtFirst: Bool { isBeginning && !isUsable }

    /// Runs statements that have no values, and returns what the last of them did.
    @discardableResult
    func execute(_ text: String) throws(StorageError) -> PostgreSQLResult {
        waitForAnswer()
        let beginning = takeBeginning()
        configuration.onStatement?(text)
        return try checked(PQexec(handle, beginning.map { "\($0); \(text)" } ?? text))
    }

    /// Runs statements that have no values, in one round trip, and returns what each of them did.
    func executeEach(_ text: String) throws(StorageError) -> [PostgreSQLResult] {
        waitForAnswer()
        configuration.onStatement?(text)
        guard PQsendQuery(handle, text) == 1 else { throw failed(PostgreSQLFailure(connection: handle)) }
        var results: [PostgreSQLResult] = []
        do throws(StorageError) {
            while let result = PQgetResult(handle) { results.append(try checked(result)) }
        } catch {
            waitForEnd()
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
        let name = configuration.keepsStatements ? try prepared(text, parameters.types) : nil
        configuration.onStatement?(text)
        let result = parameters.withArrays { count, values, lengths, formats in
            if let name { return PQexecPrepared(handle, name, count, values, lengths, formats, 1) }
            return PQexecParams(handle, text, count, parameters.types, values, lengths, formats, 1)
        }
        return try checked(result)
    }

    /// Runs what begins a transaction and its first statement, prepared on the way if need be.
    private func beginAndQuery(
        _ text: String, _ parameters: PostgreSQLParameters, in pipeline: PostgreSQLPipeline
    ) throws(StorageError) -> PostgreSQLResult {
        clock += 1
        let shape = Shape(text: text, types: parameters.types)
        let known = statements[shape]?.name
        if known == nil, statements.count >= Self.statementLimit { try evict() }
        let name = known ?? "coffer_\(clock)"
        let beginning = takeBeginning()
        configuration.onStatement?(text)
        let outcome = pipeline.run(handle, count: known == nil ? 3 : 2) {
            guard PQsendQueryParams(handle, beginning, 0, nil, nil, nil, nil, 1) == 1 else { return false }
            if known == nil, PQsendPrepare(handle, name, text, Int32(shape.types.count), shape.types) != 1 {
                return false
            }
            return parameters.withArrays { PQsendQueryPrepared(handle, name, $0, $1, $2, $3, 1) } == 1
        }
        isStuck = !outcome.isOver
        if outcome.doneCount > 1 { statements[shape] = Prepared(name: name, lastUse: clock) }
        return try checked(outcome.answer)
    }

    /// Sends a statement, on which the server works while the caller does other things.
    ///
    /// A statement that comes before its answer was received throws the answer away.
    ///
    /// - Returns: what ``receive(_:_:_:)`` wants to see.
    func send(_ text: String, _ parameters: PostgreSQLParameters) throws(StorageError) -> Int {
        waitForAnswer()
        try beginNow()
        let name = configuration.keepsStatements ? try prepared(text, parameters.types) : nil
        configuration.onStatement?(text)
        let code = parameters.withArrays { count, values, lengths, formats in
            if let name { return PQsendQueryPrepared(handle, name, count, values, lengths, formats, 1) }
            return PQsendQueryParams(handle, text, count, parameters.types, values, lengths, formats, 1)
        }
        guard code == 1 else { throw failed(PostgreSQLFailure(connection: handle)) }
        clock += 1
        (isAnswerPending, ticket) = (true, clock)
        return clock
    }

    /// The answer to a statement that was sent, which is asked again when its answer was thrown away.
    func receive(
        _ ticket: Int, _ text: String, _ parameters: PostgreSQLParameters
    ) throws(StorageError) -> PostgreSQLResult {
        guard self.ticket == ticket else { return try query(text, parameters) }
        (isAnswerPending, self.ticket) = (false, nil)
        // The last counts: behind an answer there may be the news that the server ends the connection.
        var answer: OpaquePointer?
        while let next = PQgetResult(handle) {
            PQclear(answer)
            answer = next
        }
        return try checked(answer)
    }

    /// Runs a statement that takes bytes, as many as the body sends.
    func copy(
        _ text: String, _ body: ((_ send: [UInt8]) throws(StorageError) -> Void) throws(StorageError) -> Void
    ) throws(StorageError) {
        waitForAnswer()
        try beginNow()
        configuration.onStatement?(text)
        let result = PQexec(handle, text)
        guard PQresultStatus(result) == PGRES_COPY_IN else {
            _ = try checked(result)
            return
        }
        PQclear(result)
        do throws(StorageError) {
            try body { bytes throws(StorageError) in
                let code = bytes.withUnsafeBytes { bytes in
                    PQputCopyData(handle, bytes.baseAddress, Int32(clamping: bytes.count))
                }
                if code != 1 { throw failed(PostgreSQLFailure(connection: handle)) }
            }
        } catch {
            PQputCopyEnd(handle, "given up")
            waitForEnd()
            throw error
        }
        guard PQputCopyEnd(handle, nil) == 1 else { throw failed(PostgreSQLFailure(connection: handle)) }
        let outcome = PQgetResult(handle)
        waitForEnd()
        _ = try checked(outcome)
    }

    /// The name of a statement, which is prepared at its first use.
    func prepared(_ text: String, _ types: [UInt32]) throws(StorageError) -> String {
        clock += 1
        let shape = Shape(text: text, types: types)
        if let known = statements[shape] {
            statements[shape]?.lastUse = clock
            return known.name
        }
        if statements.count >= Self.statementLimit { try evict() }
        let name = "coffer_\(clock)"
        _ = try checked(PQprepare(handle, name, text, Int32(types.count), types))
        statements[shape] = Prepared(name: name, lastUse: clock)
        return name
    }

    private func evict() throws(StorageError) {
        let old = statements.sorted { $0.value.lastUse < $1.value.lastUse }.prefix(Self.statementLimit / 4)
        for (shape, prepared) in old {
            _ = try checked(PQexec(handle, "DEALLOCATE \(prepared.name)"))
            statements[shape] = nil
        }
    }

    /// Asks something without waiting for the answer, which is taken before anything else is done.
    ///
    /// - Returns: whether there will be an answer.
    func ask(_ text: String) -> Bool {
        waitForAnswer()
        configuration.onStatement?(text)
        return PQsendQuery(handle, text) == 1
    }

    /// The answer to what was asked; nil where it failed.
    func answer() -> PostgreSQLResult? {
        var answer: PostgreSQLResult?
        while let result = PQgetResult(handle) {
            let isAnswer = PQresultStatus(result) == PGRES_TUPLES_OK
            let owned = PostgreSQLResult(result)
            if isAnswer { answer = owned }
        }
        return answer
    }

    /// Ends the transaction, whose changes are kept.
    func commit() throws(StorageError) {
        guard beginning == nil else { return beginning = nil }
        let outcome: PostgreSQLResult
        do throws(StorageError) {
            outcome = try execute("COMMIT")
        } catch {
            throw isUsable ? error : unknownOutcome(error)
        }
        guard outcome.command == "COMMIT" else {
            throw StorageError(.failed, "PostgreSQL undid a transaction on '\(address.name)'. Try again.")
        }
    }

    /// The connection was lost while it committed.
    func unknownOutcome(_ error: StorageError) -> StorageError {
        StorageError(
            .unknownOutcome,
            "The connection to '\(address.name)' was lost while it committed: the changes were made, or none of them. "
                + "Look before you repeat the transaction.", cause: error.cause)
    }

    /// Ends the transaction without waiting for the server to say so.
    func endLater() {
        waitForAnswer()
        beginning = nil
        guard isInTransaction else { return }
        configuration.onStatement?("COMMIT")
        isAnswerPending = PQsendQuery(handle, "COMMIT") == 1
    }

    private func waitForAnswer() {
        guard isAnswerPending else { return }
        (isAnswerPending, ticket) = (false, nil)
        waitForEnd()
    }

    private func waitForEnd() {
        while let result = PQgetResult(handle) { PQclear(result) }
    }

    /// Undoes what the current transaction did, if one is under way.
    func rollBack() {
        waitForAnswer()
        beginning = nil
        guard isUsable, isInTransaction else { return }
        PQclear(PQexec(handle, "ROLLBACK"))
    }

    private func checked(_ result: OpaquePointer?) throws(StorageError) -> PostgreSQLResult {
        let status = PQresultStatus(result)
        if let result, [PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY].contains(status) {
            lastFailure = nil
            isBeginning = false
            return PostgreSQLResult(result)
        }
        let failure = result.map { PostgreSQLFailure(result: $0, handle) } ?? PostgreSQLFailure(connection: handle)
        PQclear(result)
        throw failed(failure)
    }

    private func failed(_ failure: PostgreSQLFailure) -> StorageError {
        lastFailure = failure
        return failure.storageError(address.name)
    }
}
