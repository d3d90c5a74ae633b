import CofferCLibPQ
import CofferStorage

/// Converts SQLSTATE codes and errors of libpq to a `StorageError`: the code, the message, and whether to retry.
struct PostgreSQLFailure: Sendable {
    /// The SQLSTATE code of the error, with five characters; nil if the error does not come from a server.
    let state: String?
    let words: String
    /// The constraint that a row breaks.
    var constraint: String?
    /// Whether the connection cannot be used any more.
    var isConnectionLost = false
    /// Whether the connection was not open yet.
    var isOpening = false
    /// Whether the connection was ended because the server did not answer.
    var isSilent = false
}

extension PostgreSQLFailure {
    init(result: OpaquePointer, _ connection: OpaquePointer) {
        func field(_ letter: UInt8) -> String? { PQresultErrorField(result, Int32(letter)).map { String(cString: $0) } }
        state = field(UInt8(ascii: "C"))
        words = Self.line(field(UInt8(ascii: "M")) ?? String(cString: PQresultErrorMessage(result)))
        constraint = field(UInt8(ascii: "n"))
        isConnectionLost = PQstatus(connection) != CONNECTION_OK
    }

    /// Reads the failure of a connection.
    ///
    /// The message of libpq names the user and the server, but never the password.
    init(connection: OpaquePointer, isOpening: Bool = false) {
        self.init(
            state: nil, words: Self.line(String(cString: PQerrorMessage(connection))),
            isConnectionLost: PQstatus(connection) != CONNECTION_OK, isOpening: isOpening)
    }

    static func line(_ words: String) -> String {
        words.split(whereSeparator: \.isNewline).map { $0.drop { $0 == " " || $0 == "\t" } }.joined(separator: " ")
    }

    /// Whether the server failed in a way in which the reference evaluator does not fail.
    ///
    /// The server could not compute with the stored numbers, could not parse a deeply nested statement, or could not
    /// see that two expressions are the same.
    var isBeyondServer: Bool {
        guard let state, !isConnectionLost else { return false }
        return state.hasPrefix("22") || state.hasPrefix("54") || state == "42803"
    }

    /// Whether the server rolled back a transaction because of other transactions; a repetition may succeed.
    var isSerialization: Bool { state == "40001" || state == "40P01" }

    /// Whether nothing was saved if this is the answer to a commit.
    ///
    /// In this case, a constraint is broken, or the transaction was rolled back. `40003` means that the server does
    /// not know the outcome.
    var isRollback: Bool {
        guard let state, state != "40003" else { return false }
        return state.hasPrefix("23") || state.hasPrefix("40")
    }

    /// Returns the failure as an error of the storage interface.
    ///
    /// - Parameter name: the name of the store.
    func storageError(_ name: String) -> StorageError {
        // Messages of class 22 quote values.
        let cause =
            switch state {
            case let state? where state.hasPrefix("22"): "PostgreSQL error \(state)"
            case let state?: "PostgreSQL error \(state): \(words)"
            case nil: "libpq: \(words)"
            }
        func error(_ code: StorageError.Code, _ message: String) -> StorageError {
            StorageError(code, message, cause: cause)
        }
        func temporary(_ code: StorageError.Code, _ message: String) -> StorageError {
            StorageError(code, message, isRetryable: true, cause: cause)
        }
        let sentence = words.hasSuffix(".") || words.hasSuffix("?") ? words : words + "."
        if isSilent {
            return StorageError(
                .unavailable,
                "The server of '\(name)' does not answer and accepts no new connections. Uncommitted changes are "
                    + "discarded. Check the server and the network, and try again.", isRetryable: true)
        }
        return switch (state, state?.prefix(2)) {
        case (nil, _) where !isConnectionLost: error(.failed, "libpq failed on '\(name)': \(sentence)")
        case (nil, _) where isOpening:
            // Without a code, only the message distinguishes a wrong password from a server that is down.
            temporary(
                .unavailable,
                "There is no connection to '\(name)': \(sentence) Check address, user and password, that the server runs, "
                    + "and that the database exists.")
        case ("57014", _):
            temporary(
                .busy,
                "A statement on '\(name)' was cancelled or exceeded the time limit. Try again, or raise the statement "
                    + "time limit.")
        case ("57P03", _), ("53300", _):
            temporary(.unavailable, "The server of '\(name)' accepts no more connections now. Try again later.")
        case ("55P03", _), ("55006", _):
            temporary(.busy, "'\(name)' is locked by another writer. Try again, or raise the busy time limit.")
        case (_, "40"): temporary(.busy, "The commit conflicted with others on '\(name)' and was undone. Try again.")
        case (nil, _), ("57P01", _), ("57P02", _), ("57P05", _), ("25P03", _), (_, "08"):
            temporary(
                .unavailable, "The connection to '\(name)' was lost; uncommitted changes were discarded. Try again.")
        case ("25006", _): error(.readOnly, "'\(name)' cannot be written: its server or session is read-only.")
        case ("42501", _):
            error(
                .readOnly,
                "This user lacks a permission in '\(name)': \(sentence) Grant the user permission to read and write.")
        case ("3D000", _): error(.unavailable, "The database of '\(name)' does not exist. Create it.")
        case ("57P04", _): error(.unavailable, "The database of '\(name)' was dropped.")
        case (_, "28"):
            error(
                .unavailable, "The server of '\(name)' refuses this user: \(sentence) Check user and password.")
        case ("42P07", _), ("42710", _):
            error(.foreign, "'\(name)' has tables of another program with Coffer's table names. Choose another schema.")
        case ("53100", _), ("53400", _):
            temporary(.full, "There is no room left for '\(name)'. Free some space and try again.")
        case (_, "53"): temporary(.failed, "The server of '\(name)' is short of resources. Try again.")
        case (_, "58"):
            error(.unavailable, "The server of '\(name)' cannot read or write its files. Check its disk.")
        case ("XX001", _), ("XX002", _):
            error(.corrupt, "'\(name)' is damaged. Restore it from a backup, or erase the store.")
        case (_, "23"): error(.uniqueViolation, "A row breaks a constraint of '\(name)'.")
        case ("54000", _):
            error(
                .invalidValue,
                "A value is too large for '\(name)'. Keep indexed and unique values under 2,600 bytes.")
        case ("54001", _), ("54023", _), ("54011", _):
            error(.invalidRequest, "A request is too large for '\(name)'. Split the request.")
        case (_, "22"): error(.invalidValue, "A value does not fit '\(name)'.")
        case ("42P01", _), ("3F000", _):
            error(
                .unavailable,
                "Tables of '\(name)' are missing: another program erased the store or dropped them. Close the store. "
                    + "Then restore the tables from a backup, or open the store again, which creates an empty store.")
        case (_, "42"):
            error(
                .corrupt,
                "The tables of '\(name)' do not match its model, or its server is too old. Restore the tables from a "
                    + "backup, or update the server.")
        case ("25P02", _):
            error(.failed, "The transaction on '\(name)' failed because of an earlier error. Begin a new transaction.")
        default: error(.failed, "PostgreSQL failed on '\(name)'.")
        }
    }
}
