import CofferStorage
import Foundation

/// Creates the errors for a file that was moved, deleted, replaced or hard-linked while a store uses it.
extension StorageError {
    /// Returns the error for a file of an open store that is no longer at its path.
    static func moved(_ path: String) -> StorageError {
        let name = URL(filePath: path).path
        let what =
            SQLitePlace(path) == nil
            ? "'\(name)' was deleted or renamed while it was open"
            : "'\(name)' was replaced by another file while it was open"
        return StorageError(
            .unavailable, "\(what). Nothing can be saved. Put the file back, or close the store and open it again.")
    }

    /// Returns the error for a file beside the file of an open store that is no longer at its path.
    static func moved(_ path: String, _ suffix: String) -> StorageError {
        StorageError(
            .unavailable,
            "'\(URL(filePath: path).path)\(suffix)' was deleted or replaced while the store was open. "
                + "Nothing can be saved. Close the store in all processes, and open it again.")
    }

    /// Returns the error for a file that has several names.
    static func linked(_ name: String, _ count: Int) -> StorageError {
        StorageError(
            .unavailable,
            "'\(name)' is one of \(count) names (hard links) of the same file. SQLite uses another log for each name, "
                + "so changes would be lost. Remove the other names, or copy the file.")
    }

    /// Returns the error for a file that other processes removed repeatedly while it was opened.
    static func removedMeanwhile(_ name: String) -> StorageError {
        StorageError(
            .busy, "'\(name)' was deleted repeatedly while it was being opened. Try again.", isRetryable: true)
    }
}
