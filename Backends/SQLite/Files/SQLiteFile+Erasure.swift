import CofferSQL
import CofferStorage
import Foundation

/// Creates and erases the file safely beside other processes, in at most 20 attempts, and refuses hard links.
///
/// A process removes a file only while it has the file alone, by SQLite's own lock. A process that opens the file takes
/// a lock before it reads, and then checks that the file is still at its path.
extension SQLiteFile {
    /// A connection to the file that is at the path, which nobody removes before the connection's next statement.
    ///
    /// - Returns: nil when there is no file, and none is made.
    func connection(_ access: SQLiteConnection.Access) throws(StorageError) -> SQLiteConnection? {
        let end = Date(timeIntervalSinceNow: options.busyTimeLimit)
        // Once, whatever the time limit.
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
                // Others removed it, and made another one.
                if now != place { continue }
                // Another file may also have the inode of the removed one, and look like it.
                failures += 1
                guard now != nil, failures < Self.openingLimit else { throw error }
                opensAgain = true
                Thread.sleep(forTimeInterval: 0.001)
                continue
            }
            guard try connection.hold(timeLimit: options.busyTimeLimit) else { continue }
            // SQLite opens for reading what it cannot open for writing, also a file that was missing at that moment.
            if case .write = access, connection.isReadOnly, mayOpenAgain {
                (mayOpenAgain, opensAgain) = (false, true)
                continue
            }
            return connection
        } while opensAgain || Date() < end
        throw .removedMeanwhile(name)
    }

    /// How often a file that is there is opened, whatever the time limit, before its error is thrown.
    private static var openingLimit: Int { 20 }

    /// Refuses a file that has another name, by which others may have it open with a log of its own.
    func checkNames() throws(StorageError) {
        guard var place = SQLitePlace(path), place.nameCount > 1 else { return }
        // A process that put the file there may have ended before it took its first name away.
        SQLiteDraft.removeAbandoned(of: url)
        place = SQLitePlace(path) ?? place
        if place.nameCount > 1 { throw .linked(name, place.nameCount) }
    }

    /// Makes an empty file where there is none.
    ///
    /// - Returns: the file that was made; nil when there is one, or none can be made.
    func makeEmpty() -> SQLitePlace? {
        SQLiteConnection.opening.withLock { _ in
            let descriptor = Foundation.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
            guard descriptor >= 0 else { return nil }
            defer { close(descriptor) }
            return SQLitePlace(descriptor)
        }
    }

    /// Removes a file that was made here, if nobody else has it open and nothing is in it.
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

    /// Removes the file and those SQLite keeps beside it.
    ///
    /// - Parameter found: what must still be in it; nil for anything.
    /// - Throws: `busy` when the file is open elsewhere.
    func erase(holding found: StoreMetadata? = nil) throws(StorageError) {
        // What is left of a file goes with one, which others then wait for.
        guard isThere(path) || files.contains(where: isThere) && makeEmpty() != nil else { return }
        let busy = StorageError(
            .busy, "'\(name)' is open elsewhere. Close it there before it is erased.", isRetryable: true)
        try whenAlone(orThrow: busy) { connection throws(StorageError) in
            guard !connection.isReadOnly else {
                throw StorageError(.readOnly, "'\(name)' cannot be written. Give this process permission to write it.")
            }
            if found != nil {
                try connection.prepareInPlace(options)
                // Where there is no log, a lock would end with the statement that reads what is in the file.
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

    /// Runs the body with a connection that waits for nobody, and again with another one while it throws `busy`.
    ///
    /// Whoever wants a file alone keeps no lock while waiting, or two of them would wait for each other.
    ///
    /// - Parameters:
    ///   - busy: what is thrown in the end.
    ///   - end: when to give up, after one attempt at least; nil for the time limit of the options.
    /// - Returns: nil when there is no file.
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
                // An error in a removed file says nothing about the file that is at the path now.
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
