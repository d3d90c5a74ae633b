import CofferStorage
import Foundation

/// Detects whether another process has written a read-only file since it was opened.
struct SQLiteStamp: Equatable, Sendable {
    private let path: String
    private let place: SQLitePlace?
    private let size: Int
    private let changed: Date?
    private let logSize: Int

    /// The stamp of the file that is at a path now.
    init(_ path: String) {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        self.path = path
        place = SQLitePlace(path)
        size = SQLitePlace.size(path)
        changed = attributes?[.modificationDate] as? Date
        logSize = SQLitePlace.size(path + "-wal")
    }

    /// Refuses to go on where the file was written: there is no snapshot of it.
    func checkUnchanged() throws(StorageError) {
        guard SQLiteStamp(path) != self else { return }
        throw StorageError(
            .busy, "'\(URL(filePath: path).path)' was written while it was read. Close the store and open it again.")
    }
}
