import CofferStorage
import CofferStorageTools
import Foundation

/// Writes a new file beside its final path, and renames the complete file to this path.
///
/// The file is complete before it is renamed, so a process may end at any instruction. At the path, there is either
/// no file or the whole file. The next process that makes a draft of the same file removes an abandoned draft. The
/// lock of a draft ends with its process. A draft without a lock is therefore abandoned.
struct SQLiteDraft {
    let path: String
    private let target: URL
    private let descriptor: Int32

    private static let infix = ".loading-"

    init(of target: URL) throws(StorageError) {
        self.target = target
        Self.removeAbandoned(of: target)
        while true {
            let path = target.path(percentEncoded: false) + Self.infix + UUID().uuidString
            let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
            guard descriptor >= 0 else { throw Self.failure("created", target, errno) }
            // Another process may have removed this draft as an abandoned one before it was locked.
            if flock(descriptor, LOCK_EX) == 0, Self.isSame(descriptor, path) {
                (self.path, self.descriptor) = (path, descriptor)
                return
            }
            close(descriptor)
        }
    }

    /// Moves the file to its path, after the disk has stored all of it.
    ///
    /// - Throws: `unavailable` if there is now another file at the path.
    func publish() throws(StorageError) {
        let isWritten = fsync(descriptor) == 0
        let reason = errno
        try SQLiteConnection.opening.withLock { _ throws(StorageError) in
            defer { discard() }
            guard isWritten else { throw Self.failure("written", target, reason) }
            try move()
        }
        let directory = open(target.deletingLastPathComponent().path(percentEncoded: false), O_RDONLY | O_CLOEXEC)
        guard directory >= 0 else { return }
        fsync(directory)
        close(directory)
    }

    /// Renames the file to its path, if there is no file at this path.
    private func move() throws(StorageError) {
        let place = target.path(percentEncoded: false)
        if SQLitePlace.rename(path, toUnused: place) { return }
        guard errno != EEXIST else { throw .occupied(target.path) }
        // Some file systems cannot do this. Unlike a plain renaming, a hard link does not replace an existing file
        // either.
        if link(path, place) != 0 {
            let reason = errno
            guard reason != EEXIST else { throw .occupied(target.path) }
            guard access(place, F_OK) != 0, rename(path, place) == 0 else {
                throw Self.failure("created", target, reason)
            }
        }
    }

    /// Removes the draft.
    func discard() {
        unlink(path)
        close(descriptor)
    }

    static func removeAbandoned(of target: URL) {
        let directory = target.deletingLastPathComponent().path(percentEncoded: false)
        let beginning = target.lastPathComponent + infix
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        for name in names where name.hasPrefix(beginning) {
            let path = directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)"
            let descriptor = open(path, O_RDWR | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0, isSame(descriptor, path) { unlink(path) }
            close(descriptor)
        }
    }

    /// Whether an open file is still the file at a path.
    private static func isSame(_ descriptor: Int32, _ path: String) -> Bool {
        SQLitePlace(descriptor).map { $0 == SQLitePlace(path) } ?? false
    }

    private static func failure(_ what: String, _ target: URL, _ reason: Int32) -> StorageError {
        StorageError(
            reason == ENOSPC || reason == EDQUOT ? .full : .unavailable,
            "'\(target.path)' cannot be \(what). Check the permissions and the free space of its directory.",
            cause: String(cString: strerror(reason))
        )
    }
}
