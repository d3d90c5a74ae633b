public import Foundation

/// Where tests keep their files: a directory for each process, removed when it exits.
///
/// A process that is killed, or that stops as an exit test should, removes nothing. Its directory is no longer locked
/// then, and the next process removes it.
public enum TemporaryDirectory {
    private static let prefix = "coffer-tests-"
    private static let ofProcess = Result { try makeForProcess() }

    /// A new empty directory. The test that made it removes it; what is left goes with the process.
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
        // Never closed: the lock ends with the process, however that ends.
        guard lock(url) != nil else { throw CocoaError(.fileLocking) }
        atexit {
            if case .success(let url) = TemporaryDirectory.ofProcess { try? FileManager.default.removeItem(at: url) }
        }
        return url
    }

    /// Removes the directories that no process has locked, but for those of the last minute: one may not be locked yet.
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

    /// Locks a directory, unless another process has.
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
