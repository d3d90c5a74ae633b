public import Foundation

/// A directory for the files of tests; each process has its own directory and removes it at exit.
///
/// A process that is killed, or that an exit test stops, removes nothing. Its directory is no longer locked, and the
/// next process removes it.
public enum TemporaryDirectory {
    private static let prefix = "coffer-tests-"
    private static let ofProcess = Result { try makeForProcess() }

    /// Creates a new empty directory, which the test removes; the process removes all remaining directories.
    public static func make() throws -> URL {
        let url = try ofProcess.get().appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
        return url
    }

    private static func makeForProcess() throws -> URL {
        let parent = FileManager.default.temporaryDirectory
        removeAbandoned(in: parent)
        let url = parent.appending(path: prefix + UUID().uuidString)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
        // The descriptor is never closed. The lock ends with the process, in whatever way the process ends.
        guard lock(url) != nil else { throw CocoaError(.fileLocking) }
        atexit {
            if case .success(let url) = TemporaryDirectory.ofProcess { try? FileManager.default.removeItem(at: url) }
        }
        return url
    }

    /// Removes directories that no process has locked, except those of the last minute, which may not be locked yet.
    private static func removeAbandoned(in parent: URL) {
        let all = try? FileManager.default.contentsOfDirectory(
            at: parent, includingPropertiesForKeys: [.contentModificationDateKey]
        )
        for url in all ?? [] where url.lastPathComponent.hasPrefix(prefix) {
            let modified = try? url.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate
            guard let modified, modified.timeIntervalSinceNow < -60, let descriptor = lock(url) else { continue }
            try? FileManager.default.removeItem(at: url)
            close(descriptor)
        }
    }

    /// Locks a directory; returns nil if another process has locked it.
    private static func lock(_ url: URL) -> Int32? {
        let descriptor = open(url.path(percentEncoded: false), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }
}
