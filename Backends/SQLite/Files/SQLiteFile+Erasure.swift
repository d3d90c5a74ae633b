import CofferSQL
import CofferStorage
import Foundation

/// Creates and erases the file safely beside other processes, in at most 20 attempts, and refuses hard links.
///
/// A process removes a file only while it has the file alone, by SQLite's own lock. A process that opens the file
/// takes a lock before it reads, and then checks that the file is still at its path.
extension SQLiteFile {
    /// Returns a connection to the file at the path; no process removes the file before the next statement.
    ///
    /// - Returns: nil if there is no file, and the access does not create one.
    func connection(_ access: SQLiteConnection.Access) throws(StorageError) -> SQLiteConnection? {
        let end = Date(timeIntervalSinceNow: options.busyTimeLimit)
        // The file is opened again once, whatever the time limit.
        var (mayOpenAgain, opensAgain) = (true, false)
        var failures = 0
        repeat {
            opensAgain = false
            let place = SQLitePlace(path)
            let connection: SQLiteConnection
            do throws(StorageError) {
                connection = try SQLiteConnection(unread: path, access, options)
            } catch {
                let now = SQLitePlace(path)
                guard now != nil || access.creates else { return nil }
                // Other processes removed the file, and created another one.
                if now != place { continue }
                // The new file may have the inode of the removed file, so that both have the same identity.
                failures += 1
                guard now != nil, failures < Self.openingLimit else { throw error }
                opensAgain = true
                Thread.sleep(forTimeInterval: 0.001)
                continue
            }
            guard try connection.hold(timeLimit: options.busyTimeLimit) else { continue }
            // If SQLite cannot open a file for writing, also one that was missing at that moment, it opens it for
            // reading.
            if case .write = access, connection.isReadOnly, mayOpenAgain {
                (mayOpenAgain, opensAgain) = (false, true)
                continue
            }
            return connection
        } while opensAgain || Date() < end
        throw .removedMeanwhile(name)
    }

    /// The number of attempts to open an existing file, whatever the time limit, before its error is thrown.
    private static var openingLimit: Int { 20 }

    /// Throws an error if the file has another name, under which other processes may have it open with another log.
    func checkNames() throws(StorageError) {
        guard var place = SQLitePlace(path), place.nameCount > 1 else { return }
        // A process that published the file may have ended before it removed the first name of the file.
        SQLiteDraft.removeAbandoned(of: url)
        place = SQLitePlace(path) ?? place
        if place.nameCount > 1 { throw .linked(name, place.nameCount) }
    }

    /// Creates an empty file, if there is no file.
    ///
    /// - Returns: the created file; nil if there is already a file, or if the file cannot be created.
    func makeEmpty() -> SQLitePlace? {
        SQLiteConnection.opening.withLock { _ in
            let descriptor = Foundation.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
            guard descriptor >= 0 else { return nil }
            defer { close(descriptor) }
            return SQLitePlace(descriptor)
        }
    }

    /// Removes a file that this process created, if no other connection has it open and it is empty.
    func remove(_ connection: SQLiteConnection, ifStill made: SQLitePlace) {
        connection.waits(seconds: 0)
        do throws(StorageError) {
            try connection.executeInPlace("BEGIN EXCLUSIVE")
            try connection.holdAlone()
            // A file that cannot be read may contain data.
            guard !connection.hasMoved, SQLitePlace(connection.path) == made,
                try SQLiteSchema.metadata(connection) == nil
            else { return }
        } catch {
            return
        }
        _ = connection.removeFile()
    }

    /// Removes the file and the files that SQLite keeps beside it.
    ///
    /// - Parameter found: the metadata that the file must still contain; nil for any content.
    /// - Throws: `busy` if the file is open elsewhere.
    func erase(holding found: StoreMetadata? = nil) throws(StorageError) {
        // If only files beside it remain, an empty file is created. It is removed with them, and other processes wait
        // for it.
        guard isThere(path) || files.contains(where: isThere) && makeEmpty() != nil else { return }
        let busy = StorageError(
            .busy, "'\(name)' is open elsewhere. Close it there before it is erased.", isRetryable: true)
        try whenAlone(orThrow: busy) { connection throws(StorageError) in
            guard !connection.isReadOnly else {
                throw StorageError(.readOnly, "'\(name)' cannot be written. Give this process permission to write it.")
            }
            if found != nil {
                try connection.prepareInPlace(options)
                // Without a log, a lock would end with the statement that reads the metadata of the file.
                try connection.executeInPlace("BEGIN EXCLUSIVE")
            }
            try connection.holdAlone()
            guard !connection.hasMoved else { return }
            if let found, try SQLiteSchema.metadata(connection) != found { return }
            if let cause = connection.removeFile() {
                throw StorageError(
                    .unavailable, "'\(name)' cannot be removed. Check the permissions of its directory.", cause: cause)
            }
        }
    }

    /// Runs the body with a connection that does not wait for locks; runs it again while it throws `busy`.
    ///
    /// Each attempt has a new connection. A process that waits for exclusive access keeps no lock, because two such
    /// processes would wait for each other.
    ///
    /// - Parameters:
    ///   - busy: the error that is thrown in the end.
    ///   - end: the time of the last attempt, after at least one attempt; nil for the time limit of the options.
    /// - Returns: nil if there is no file.
    @discardableResult
    func whenAlone<Result>(
        orThrow busy: StorageError, until end: Date? = nil,
        _ body: (SQLiteConnection) throws(StorageError) -> Result
    ) throws(StorageError) -> Result? {
        let end = end ?? Date(timeIntervalSinceNow: options.busyTimeLimit)
        while true {
            try checkNames()
            do throws(StorageError) {
                guard let connection = try connection(.write(creates: false)) else { return nil }
                connection.waits(seconds: 0)
                let result: Result
                // An error in a removed file does not concern the file that is now at the path.
                do throws(StorageError) { result = try body(connection) } catch {
                    throw connection.hasMoved || connection.hasLostJournal ? .removedMeanwhile(name) : error
                }
                connection.waits(seconds: options.busyTimeLimit)
                return result
            } catch {
                guard error.code == .busy else { throw error }
                guard Date() < end else {
                    var busy = busy
                    busy.cause = error.cause
                    throw busy
                }
            }
            Thread.sleep(forTimeInterval: .random(in: 0.002...0.02))
        }
    }
}
