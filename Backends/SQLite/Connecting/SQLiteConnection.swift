import CofferCSQLite
import CofferSQL
import CofferStorage
import Foundation

/// A connection to the file: opens it, sets cache and busy time limit, and caches up to 256 prepared statements.
// Sendable: used by one thread at a time, the one that took it from the pool or holds the writer's lock.
final class SQLiteConnection: SQLConnection, @unchecked Sendable {
    enum Access: Sendable {
        /// Reads and writes; creates the file where `creates` says so.
        case write(creates: Bool)
        /// Reads.
        case read
        /// Reads a file that nobody else has open, without creating anything beside it.
        case immutable

        var creates: Bool {
            if case .write(creates: true) = self { true } else { false }
        }
    }

    let handle: OpaquePointer
    /// The file's name, without its directory.
    let fileName: String
    /// How many values a statement may bind.
    let variableLimit: Int
    let onStatement: (@Sendable (String) -> Void)?

    /// The log beside the file, and its index, which also holds the locks of all processes; empty until they are known.
    private(set) var logFiles: [(suffix: String, path: String, place: SQLitePlace)] = []

    private var statements = SQLiteStatementCache()
    /// The statements of ``rowStatement(_:_:)``.
    var rowStatements = SQLiteStatementCache()
    let rowTarget = SQLiteRowTarget()

    /// Opening a connection takes its turn with what opens and closes such a file itself: closing one ends all locks that
    /// this process has on it.
    static let opening = Locked<Void>(())

    /// A connection to a file that no other process may remove meanwhile.
    convenience init(path: String, access: Access, options: SQLiteConfiguration) throws(StorageError) {
        try self.init(unread: path, access, options)
        try execute(Self.cacheSize(options))
    }

    /// A connection that has read nothing of the file yet, which may be anything.
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
        waits(seconds: options.busyTimeLimit)
        SQLiteFunctions.register(on: handle)
        SQLiteRowFunction.register(on: handle, rowTarget)
    }

    /// Sets the options whose statements read the file, and refuses a file that is no longer at its path.
    func prepareInPlace(_ options: SQLiteConfiguration, timeLimit: Double = 0) throws(StorageError) {
        try executeInPlace(Self.cacheSize(options), timeLimit: timeLimit)
    }

    private static func cacheSize(_ options: SQLiteConfiguration) -> String {
        "PRAGMA cache_size = -\(options.cacheSize >> 10)"
    }

    /// How long a statement waits for other connections.
    func waits(seconds: Double) {
        sqlite3_busy_timeout(handle, Int32(clamping: Int((seconds * 1000).rounded())))
    }

    /// Takes down which log is in use; nobody replaces it while the connection is open.
    func keepLog() {
        let path = path
        logFiles = ["-wal", "-shm"].compactMap { suffix in
            SQLitePlace(path + suffix).map { (suffix, path + suffix, $0) }
        }
    }

    deinit {
        statements.removeAll()
        rowStatements.removeAll()
        keepFilesOfOthers()
        sqlite3_close_v2(handle)
    }

    private static func uri(_ path: String) -> String {
        var allowed = CharacterSet.urlPathAllowed
        allowed.remove(charactersIn: "?#%")
        return "file:" + (path.addingPercentEncoding(withAllowedCharacters: allowed) ?? path)
    }

    /// Whether the file cannot be written, whatever was asked for.
    var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

    /// How many rows the last statement changed.
    var changeCount: Int { Int(sqlite3_changes(handle)) }

    /// Whether the last call failed with SQLite's error code for everything that has no code of its own.
    var hasGenericFailure: Bool { sqlite3_extended_errcode(handle) == SQLITE_ERROR }

    /// Whether a transaction is under way.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// The prepared statement with a text; prepared once, and again while it runs.
    func statement(_ text: String) throws(StorageError) -> SQLiteStatement {
        try statements.statement(text) { () throws(StorageError) in try SQLiteStatement(text, on: self) }
    }

    /// Runs statements that return nothing, without keeping them.
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

    /// The strings in the first column of a statement that is not kept, without nulls.
    func texts(_ text: String, _ values: [Value]) throws(StorageError) -> [String] {
        let select = try SQLiteStatement(text, on: self)
        try select.bind(values)
        var texts: [String] = []
        while try select.step() { if let text = select.string(0) { texts.append(text) } }
        return texts
    }

    /// The first column of the only row of a statement that is not kept, as text; nil for null or no row.
    ///
    /// Runs the statement to its end. A pragma that writes commits after it has returned its row, so SQLite reports a
    /// failed commit at the next step only.
    func text(_ sql: String) throws(StorageError) -> String? { try texts(sql, []).first }

    /// Undoes what the current transaction did, if one is under way.
    func rollBack() {
        if isInTransaction { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
    }

    /// Runs the body in a transaction that reads, so that all of it sees one state; within the one under way, if any.
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
