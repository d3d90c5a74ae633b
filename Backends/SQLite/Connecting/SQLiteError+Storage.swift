import CofferCSQLite
import CofferStorage

/// Converts result codes of SQLite to a `StorageError`: the code, the message, and whether to retry.
struct SQLiteFailure {
    let code: Int32
    let words: String

    init(_ handle: OpaquePointer?, _ code: Int32) {
        self.code = handle.map(sqlite3_extended_errcode) ?? code
        words = handle.flatMap(sqlite3_errmsg).map { String(cString: $0) } ?? String(cString: sqlite3_errstr(code))
    }

    init(code: Int32, words: String) {
        self.code = code
        self.words = words
    }

    /// Returns the failure as an error of the storage interface.
    ///
    /// - Parameter file: the path of the file, for the message.
    func storageError(file: String) -> StorageError {
        let (code, message): (StorageError.Code, String) =
            switch self.code & 0xFF {
            case SQLITE_BUSY, SQLITE_LOCKED:
                (.busy, "'\(file)' is locked by another process. Try again, or raise the busy time limit.")
            case SQLITE_READONLY, SQLITE_PERM:
                (.readOnly, "'\(file)' cannot be written. Give this process permission to write it.")
            case SQLITE_CORRUPT: (.corrupt, "'\(file)' is damaged. Restore it from a backup, or erase the store.")
            case SQLITE_NOTADB: (.foreign, "'\(file)' is not a SQLite database. Choose another file.")
            case SQLITE_FULL: (.full, "There is no room left for '\(file)'. Free some space and try again.")
            case SQLITE_CANTOPEN: (.unavailable, "'\(file)' cannot be opened. Check its path and permissions.")
            case SQLITE_IOERR: (.unavailable, "'\(file)' cannot be read or written. Check the disk.")
            case SQLITE_AUTH: (.unavailable, "SQLite is not allowed to use '\(file)'. Check the process's permissions.")
            case SQLITE_NOLFS:
                (.full, "'\(file)' has reached the largest size its disk allows. Move it to another disk.")
            case SQLITE_CONSTRAINT: (.uniqueViolation, "A row breaks a constraint of '\(file)': \(words).")
            case SQLITE_TOOBIG:
                (.invalidValue, "A value is too large for '\(file)'. Keep it under 1,000,000,000 bytes.")
            case SQLITE_MISMATCH: (.invalidValue, "A value does not fit its column in '\(file)'.")
            case SQLITE_RANGE: (.invalidRequest, "A request has more values than SQLite can bind. Split the request.")
            case SQLITE_SCHEMA: (.busy, "The tables of '\(file)' changed during the operation. Try again.")
            case SQLITE_NOMEM: (.failed, "There is not enough memory to use '\(file)'.")
            case SQLITE_INTERRUPT, SQLITE_ABORT:
                (.failed, "The operation on '\(file)' was interrupted. Try again.")
            default: (.failed, "SQLite failed on '\(file)': \(words).")
            }
        return StorageError(
            code, message, isRetryable: Self.retryable.contains(self.code & 0xFF),
            cause: "SQLite error \(self.code): \(words)")
    }

    /// The codes of failures that may not occur again.
    private static let retryable = [
        SQLITE_BUSY, SQLITE_LOCKED, SQLITE_FULL, SQLITE_SCHEMA, SQLITE_NOMEM, SQLITE_INTERRUPT, SQLITE_ABORT,
    ]

    /// Returns the error for a column of a result that is not of its kind.
    ///
    /// - Parameter isOverflow: whether the column is a sum that exceeds its kind.
    static func result(_ column: Int, _ kind: ColumnKind, isOverflow: Bool) -> StorageError {
        guard isOverflow else {
            return StorageError(
                .invalidValue,
                "Column \(column + 1) of the result has a value that does not fit its kind, \(kind.rawValue). "
                    + "Correct or remove the value in the file."
            )
        }
        return StorageError(
            .invalidValue,
            kind == .decimal
                ? "A sum has more digits than a decimal can store. Sum fewer rows."
                : "A sum is beyond 64 bits. Sum fewer rows, or a decimal attribute.")
    }
}
