import CofferCSQLite
import CofferStorage
import Foundation

/// Checks that the file of a connection is still at its path, locks or removes it, and switches it to write-ahead logging.
extension SQLiteConnection {
    /// The path that SQLite made of the one it was given: absolute, without symbolic links.
    var path: String { sqlite3_db_filename(handle, nil).map { String(cString: $0) } ?? "" }

    /// Whether the path leads to another file by now, or to none.
    var hasMoved: Bool {
        var hasMoved: Int32 = 0
        return sqlite3_file_control(handle, nil, SQLITE_FCNTL_HAS_MOVED, &hasMoved) == SQLITE_OK && hasMoved != 0
    }

    /// Whether the journal of the statement that has just failed was deleted by another process.
    ///
    /// A process that still has a removed file open uses, and then deletes, the journal of the new file at that path. The
    /// statement has written to the new file by then.
    var hasLostJournal: Bool {
        // SQLITE_IOERR_DELETE_NOENT, a macro that Swift does not import.
        sqlite3_extended_errcode(handle) == SQLITE_IOERR | 23 << 8
    }

    /// Refuses to go on in a file that is not at its path any more, or that has lost its log or the index of that.
    ///
    /// Without the index, a process that opens the file next makes another one. Then neither sees the other's locks, and
    /// both write to the same places of the log.
    func checkPlace() throws(StorageError) {
        if hasMoved { throw .moved(path) }
        for file in logFiles where SQLitePlace(file.path) != file.place { throw .moved(path, file.suffix) }
    }

    /// Locks the file as whoever reads it does, so that nobody removes it, and tells whether it is still at its path.
    ///
    /// The lock stays over the next statement; where there is a log, until the connection is closed.
    ///
    /// - Throws: `busy` when somebody else had the file alone for the whole time.
    func hold(timeLimit: Double) throws(StorageError) -> Bool {
        let end = Date(timeIntervalSinceNow: timeLimit)
        while true {
            do throws(StorageError) {
                try lock(SQLITE_LOCK_SHARED)
                return !hasMoved
            } catch {
                guard error.code == .busy, Date() < end else { throw error }
            }
            Thread.sleep(forTimeInterval: 0.005)
        }
    }

    /// Switches the file to write-ahead logging, for which SQLite does not wait by itself while others open it.
    ///
    /// - Returns: false when the file was removed meanwhile.
    /// - Throws: `unavailable` when the file keeps another journal mode. SQLite reports no error then, and a transaction
    ///   that reads would keep itself from writing.
    func switchToWAL(timeLimit: Double) throws(StorageError) -> Bool {
        let end = Date(timeIntervalSinceNow: timeLimit)
        while true {
            do throws(StorageError) {
                guard try hold(timeLimit: timeLimit) else { return false }
                let mode = try text("PRAGMA journal_mode = WAL") ?? ""
                guard mode == "wal" else {
                    throw StorageError(
                        .unavailable,
                        "'\(fileName)' has no write-ahead log: its journal mode stays '\(mode)'. Keep it on a local disk, "
                            + "and open it again.")
                }
                return true
            } catch {
                guard error.code == .busy, Date() < end else { throw error }
                Thread.sleep(forTimeInterval: 0.01)
            }
        }
    }

    /// Runs a statement without results, and refuses a file that is no longer at its path.
    ///
    /// Before the write-ahead log is open, SQLite releases the file's lock after each statement. Another process may then
    /// remove the file. A later statement on the removed file finds the journal of the new file at that path, by its
    /// name, and deletes that journal.
    ///
    /// - Throws: `busy` when another process has removed the file, or holds it exclusively.
    func executeInPlace(_ text: String, timeLimit: Double = 0) throws(StorageError) {
        guard try hold(timeLimit: timeLimit) else { throw .removedMeanwhile(fileName) }
        try execute(text)
    }

    /// Locks the file if nobody else has it open, in this process neither, whatever is in it.
    ///
    /// - Throws: `busy` when somebody has.
    func holdAlone() throws(StorageError) {
        try lock(SQLITE_LOCK_SHARED)
        do throws(StorageError) { try lock(SQLITE_LOCK_EXCLUSIVE) } catch {
            // A lock that is being waited for keeps new readers out.
            if let file { _ = file.pointee.pMethods?.pointee.xUnlock?(file, SQLITE_LOCK_SHARED) }
            throw error
        }
    }

    /// Takes a lock that SQLite itself would take at the next statement.
    private func lock(_ lock: Int32) throws(StorageError) {
        let code = file.flatMap { $0.pointee.pMethods?.pointee.xLock?($0, lock) } ?? SQLITE_INTERNAL
        guard code == SQLITE_OK else {
            throw SQLiteFailure(code: code, words: String(cString: sqlite3_errstr(code))).storageError(file: fileName)
        }
    }

    private var file: UnsafeMutablePointer<sqlite3_file>? {
        var file: UnsafeMutablePointer<sqlite3_file>?
        sqlite3_file_control(handle, nil, SQLITE_FCNTL_FILE_POINTER, &file)
        return file
    }

    /// Empties the file, removes what SQLite keeps beside it, and then the file itself.
    ///
    /// Whatever stops this, the file is whole or empty: SQLite takes no log for a part of an empty file. The file must
    /// be held alone, and the connection is of no use afterwards.
    ///
    /// - Returns: what the system says of a failure.
    func removeFile() -> String? {
        let path = path
        let directory = URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
        guard access(directory, W_OK) == 0 else { return String(cString: strerror(errno)) }
        _ = coffer_sqlite_keep_log(handle)
        let code = file.flatMap { $0.pointee.pMethods?.pointee.xTruncate?($0, 0) } ?? SQLITE_INTERNAL
        guard code == SQLITE_OK else { return String(cString: sqlite3_errstr(code)) }
        for file in SQLitePlace.files(path).reversed() where unlink(file) != 0 && errno != ENOENT {
            return String(cString: strerror(errno))
        }
        return nil
    }

    /// Leaves alone what is beside another file that has taken this one's place.
    ///
    /// SQLite removes the log of a file by its name, as the last one to close it.
    func keepFilesOfOthers() {
        if hasMoved, SQLitePlace(path) != nil { _ = coffer_sqlite_keep_log(handle) }
    }
}
