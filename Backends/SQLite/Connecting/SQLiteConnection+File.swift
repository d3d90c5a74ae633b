import CofferCSQLite
import CofferStorage
import Foundation

/// Checks that the file of a connection is at its path, locks or removes it, and switches it to write-ahead logging.
extension SQLiteConnection {
    /// The path of the file as SQLite resolved it: absolute, without symbolic links.
    var path: String { sqlite3_db_filename(handle, nil).map { String(cString: $0) } ?? "" }

    /// Whether another file is now at the path, or no file.
    var hasMoved: Bool {
        var hasMoved: Int32 = 0
        return sqlite3_file_control(handle, nil, SQLITE_FCNTL_HAS_MOVED, &hasMoved) == SQLITE_OK && hasMoved != 0
    }

    /// Whether the journal of the statement that has just failed was deleted by another process.
    ///
    /// A process that still has a removed file open uses the journal of the new file at that path, and then deletes
    /// it. By then, the statement has already written to the new file.
    var hasLostJournal: Bool {
        // SQLITE_IOERR_DELETE_NOENT, a macro that Swift does not import.
        sqlite3_extended_errcode(handle) == SQLITE_IOERR | 23 << 8
    }

    /// Throws an error if the file is no longer at its path, or has lost its log or the index of the log.
    ///
    /// Without the index, the next process that opens the file creates another index. Then neither process sees the
    /// locks of the other, and both write to the same places of the log.
    func checkPlace() throws(StorageError) {
        if hasMoved { throw .moved(path) }
        for file in logFiles where SQLitePlace(file.path) != file.place { throw .moved(path, file.suffix) }
    }

    /// Locks the file like a reader, so that no process removes it; returns whether it is still at its path.
    ///
    /// The lock lasts through the next statement. If there is a log, it lasts until the connection is closed.
    ///
    /// - Throws: `busy` if another connection had an exclusive lock for the whole time.
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

    /// Switches the file to write-ahead logging; waits while other processes open the file.
    ///
    /// SQLite itself does not wait in this case.
    ///
    /// - Returns: false if the file was removed meanwhile.
    /// - Throws: `unavailable` if the file keeps another journal mode. SQLite then reports no error, and the reads of
    ///   a transaction would block its own writes.
    func switchToWAL(timeLimit: Double) throws(StorageError) -> Bool {
        let end = Date(timeIntervalSinceNow: timeLimit)
        while true {
            do throws(StorageError) {
                guard try hold(timeLimit: timeLimit) else { return false }
                let mode = try text("PRAGMA journal_mode = WAL") ?? ""
                guard mode == "wal" else {
                    throw StorageError(
                        .unavailable,
                        "'\(fileName)' cannot use a write-ahead log: its journal mode stays '\(mode)'. Move the "
                            + "file to a local disk, and open it again.")
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
    /// Before the write-ahead log is open, SQLite releases the file's lock after each statement. Another process may
    /// then remove the file. A later statement on the removed file finds the journal of the new file at that path, by
    /// its name, and deletes that journal.
    ///
    /// - Throws: `busy` if another process has removed the file, or has locked it exclusively.
    func executeInPlace(_ text: String, timeLimit: Double = 0) throws(StorageError) {
        guard try hold(timeLimit: timeLimit) else { throw .removedMeanwhile(fileName) }
        try execute(text)
    }

    /// Locks the file exclusively, if no other connection has it open, also in this process.
    ///
    /// The content of the file does not matter.
    ///
    /// - Throws: `busy` if another connection has the file open.
    func holdAlone() throws(StorageError) {
        try lock(SQLITE_LOCK_SHARED)
        do throws(StorageError) { try lock(SQLITE_LOCK_EXCLUSIVE) } catch {
            // While an exclusive lock is pending, SQLite keeps new readers out.
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

    /// Empties the file, removes the files that SQLite keeps beside it, and then the file itself.
    ///
    /// If the call is interrupted, the file is whole or empty, because SQLite applies no log to an empty file. The
    /// caller must have locked the file exclusively, and cannot use the connection afterwards.
    ///
    /// - Returns: the message of the system if the call failed; nil if it succeeded.
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

    /// Keeps the files beside another file that is now at the path.
    ///
    /// The last connection that closes a file removes the log of the file by its name.
    func keepFilesOfOthers() {
        if hasMoved, SQLitePlace(path) != nil { _ = coffer_sqlite_keep_log(handle) }
    }
}
