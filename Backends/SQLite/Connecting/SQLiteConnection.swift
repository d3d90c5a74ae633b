import CofferCSQLite
import CofferSQL
import CofferStorage
import Foundation

/// A connection to the file: opens it, sets cache and busy time limit, and caches up to 256 prepared statements.
// Sendable: one thread at a time uses a connection: it took the connection from the pool, or has the writer's lock.
final class SQLiteConnection: SQLConnection, @unchecked Sendable {
    enum Access: Sendable {
        /// Reads and writes; creates the file if `creates` is true.
        case write(creates: Bool)
        /// Reads.
        case read
        /// Reads a file that no other process has open, without creating anything beside it.
        case immutable

        var creates: Bool {
            if case .write(creates: true) = self { true } else { false }
        }
    }

    let handle: OpaquePointer
    /// The path of the file, for messages.
    let fileName: String
    /// The maximum number of values that a statement may bind.
    let variableLimit: Int
    /// The maximum number of arguments of an SQL function.
    let argumentLimit: Int32
    let onStatement: (@Sendable (String) -> Void)?

    /// The log of the file and the index of the log, which contains the locks of all processes; empty at first.
    private(set) var logFiles: [(suffix: String, path: String, place: SQLitePlace)] = []

    private var statements = SQLiteStatementCache()
    /// The statements of ``rowStatement(_:_:)``.
    var rowStatements = SQLiteStatementCache()
    /// The statements of ``visitRows(_:as:count:_:)``.
    var visitStatements = SQLiteStatementCache()
    let rowTarget = SQLiteRowTarget()

    /// The lock for opening a connection, and for code that opens and closes the file itself.
    ///
    /// Closing such a file ends all locks that this process has on it.
    static let opening = Locked<Void>(())

    /// Opens a connection to a file that no other process may remove meanwhile.
    convenience init(path: String, access: Access, options: SQLiteConfiguration) throws(StorageError) {
        try self.init(unread: path, access, options)
        try execute(Self.cacheSize(options))
    }

    /// Opens a connection that has not read the file yet; the file may have any content.
    init(unread path: String, _ access: Access, _ options: SQLiteConfiguration) throws(StorageError) {
        let name = URL(filePath: path).path
        var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI
        var suffix = ""
        switch access {
        case .write(let creates): flags |= SQLITE_OPEN_READWRITE | (creates ? SQLITE_OPEN_CREATE : 0)
        case .read: flags |= SQLITE_OPEN_READONLY
        case .immutable:
            flags |= SQLITE_OPEN_READONLY
            suffix = "?immutable=1"
        }
        var opened: OpaquePointer?
        let code = Self.opening.withLock { _ in sqlite3_open_v2(Self.uri(path) + suffix, &opened, flags, nil) }
        guard code == SQLITE_OK, let opened else {
            let failure = SQLiteFailure(opened, code)
            sqlite3_close_v2(opened)
            throw failure.storageError(file: name)
        }
        handle = opened
        fileName = name
        onStatement = options.onStatement
        sqlite3_extended_result_codes(handle, 1)
        variableLimit = Int(sqlite3_limit(handle, SQLITE_LIMIT_VARIABLE_NUMBER, -1))
        argumentLimit = sqlite3_limit(handle, SQLITE_LIMIT_FUNCTION_ARG, -1)
        waits(seconds: options.busyTimeLimit)
        SQLiteFunctions.register(on: handle)
        SQLiteRowFunction.register(on: handle, rowTarget)
        SQLiteVisitFunction.register(on: handle, rowTarget)
    }

    /// Sets the options whose statements read the file; throws an error if the file is no longer at its path.
    func prepareInPlace(_ options: SQLiteConfiguration, timeLimit: Double = 0) throws(StorageError) {
        try executeInPlace(Self.cacheSize(options), timeLimit: timeLimit)
    }

    private static func cacheSize(_ options: SQLiteConfiguration) -> String {
        "PRAGMA cache_size = -\(options.cacheSize >> 10)"
    }

    /// Sets the time for which a statement waits for other connections.
    func waits(seconds: Double) {
        sqlite3_busy_timeout(handle, Int32(clamping: Int((seconds * 1000).rounded())))
    }

    /// Notes the log that is in use; no process replaces the log while the connection is open.
    func keepLog() {
        let path = path
        logFiles = ["-wal", "-shm"].compactMap { suffix in
            SQLitePlace(path + suffix).map { (suffix, path + suffix, $0) }
        }
    }

    deinit {
        statements.removeAll()
        rowStatements.removeAll()
        visitStatements.removeAll()
        keepFilesOfOthers()
        sqlite3_close_v2(handle)
    }

    private static func uri(_ path: String) -> String {
        var allowed = CharacterSet.urlPathAllowed
        allowed.remove(charactersIn: "?#%")
        return "file:" + (path.addingPercentEncoding(withAllowedCharacters: allowed) ?? path)
    }

    /// Whether the file cannot be written, whatever access was requested.
    var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

    /// The number of rows that the last statement changed.
    var changeCount: Int { Int(sqlite3_changes(handle)) }

    /// Whether the last call failed with SQLite's generic error code.
    var hasGenericFailure: Bool { sqlite3_extended_errcode(handle) == SQLITE_ERROR }

    /// Whether a transaction is active.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// Returns the prepared statement with a string; prepares another one if the cached statement is running.
    func statement(_ text: String) throws(StorageError) -> SQLiteStatement {
        try statements.statement(text) { () throws(StorageError) in try SQLiteStatement(text, on: self) }
    }

    /// Runs statements that return nothing, without caching them.
    func execute(_ text: String) throws(StorageError) {
        onStatement?(text)
        let code = sqlite3_exec(handle, text, nil, nil, nil)
        guard code == SQLITE_OK else { throw failure(code) }
    }

    /// Runs a prepared statement that returns nothing.
    func run(_ text: String, _ values: [Value] = []) throws(StorageError) {
        let statement = try statement(text)
        try statement.bind(values)
        try statement.check(statement.perform())
    }

    /// Returns the strings in the first column of an uncached statement, without nulls.
    func texts(_ text: String, _ values: [Value]) throws(StorageError) -> [String] {
        let select = try SQLiteStatement(text, on: self)
        try select.bind(values)
        var texts: [String] = []
        while try select.step() { if let text = select.string(0) { texts.append(text) } }
        return texts
    }

    /// Returns the first column of the only row of an uncached statement; nil for null or no row.
    ///
    /// The statement runs to its end. A pragma that writes commits after it has returned its row, so SQLite reports a
    /// failed commit only at the next step.
    func text(_ sql: String) throws(StorageError) -> String? { try texts(sql, []).first }

    /// Rolls back the current transaction, if there is one.
    func rollBack() {
        if isInTransaction { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
    }

    /// Runs the body in one snapshot: in the current transaction if there is one, otherwise in a new one.
    func reading<Result>(_ body: () throws(StorageError) -> Result) throws(StorageError) -> Result {
        guard !isInTransaction else { return try body() }
        let code = sqlite3_exec(handle, "BEGIN", nil, nil, nil)
        guard code == SQLITE_OK else { throw failure(code) }
        defer { rollBack() }
        return try body()
    }

    func failure(_ code: SQLiteResultCode) -> StorageError { failure(code.rawValue) }

    func failure(_ code: Int32) -> StorageError { SQLiteFailure(handle, code).storageError(file: fileName) }
}
