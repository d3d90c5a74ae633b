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
            : "Another file took the place of '\(name)', which was open"
        return StorageError(
            .unavailable, "\(what), so that nothing can be saved. Put it back, or close the store and open it again.")
    }

    /// Returns the error for a file beside the file of an open store that is no longer at its path.
    static func moved(_ path: String, _ suffix: String) -> StorageError {
        StorageError(
            .unavailable,
            "'\(URL(filePath: path).path)\(suffix)' was deleted or replaced while the store was open, so that "
                + "nothing can be saved. Close the store everywhere, and open it again.")
    }

    /// Returns the error for a file that has several names.
    static func linked(_ name: String, _ count: Int) -> StorageError {
        StorageError(
            .unavailable,
            "'\(name)' is one of \(count) names (hard links) of the same file. SQLite keeps a log beside each name, so "
                + "that what is saved by one would be lost by another. Remove the other names, or copy the file.")
    }

    /// Returns the error for a file that other processes removed repeatedly while it was opened.
    static func removedMeanwhile(_ name: String) -> StorageError {
        StorageError(
            .busy, "'\(name)' was removed again and again while it was opened. Try again.", isRetryable: true)
    }
}
