import CofferStorage
import Foundation

/// Prevents other stores, in this and other processes, from opening the same file.
///
/// The lock ends with the last reference to this object.
final class FileLock: Sendable {
    private let descriptor: Int32

    init(beside url: URL) throws(StorageError) {
        descriptor = open(url.appendingPathExtension("lock").path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw StorageError(
                .unavailable, "There is no place for '\(url.lastPathComponent)'. Make its directory first.",
                cause: "errno \(errno)"
            )
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw StorageError(
                .busy, "'\(url.lastPathComponent)' is open already. Close it there first.", isRetryable: true
            )
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
}
