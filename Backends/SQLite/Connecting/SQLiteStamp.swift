import CofferStorage
import Foundation

/// Detects whether another process has written a read-only file since it was opened.
struct SQLiteStamp: Equatable, Sendable {
    private let path: String
    private let place: SQLitePlace?
    private let size: Int
    private let changed: Date?
    private let logSize: Int

    /// Reads the stamp of the file that is now at a path.
    init(_ path: String) {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        self.path = path
        place = SQLitePlace(path)
        size = SQLitePlace.size(path)
        changed = attributes?[.modificationDate] as? Date
        logSize = SQLitePlace.size(path + "-wal")
    }

    /// Throws an error if the file was written, because there is no snapshot of the file.
    func checkUnchanged() throws(StorageError) {
        guard SQLiteStamp(path) != self else { return }
        throw StorageError(
            .busy, "'\(URL(filePath: path).path)' was written while it was read. Close the store and open it again.")
    }
}
