import CofferStorage
import Foundation

/// Which file a path leads to: the same one for as long as somebody has it open, whatever its names.
struct SQLitePlace: Equatable {
    let device: UInt64
    let inode: UInt64
    /// How many names (hard links) the file has.
    let nameCount: Int

    /// Nil when there is nothing.
    init?(_ path: String) {
        var found = stat()
        guard stat(path, &found) == 0 else { return nil }
        self.init(found)
    }

    /// The file of a descriptor.
    init?(_ descriptor: Int32) {
        var found = stat()
        guard fstat(descriptor, &found) == 0 else { return nil }
        self.init(found)
    }

    private init(_ found: stat) {
        device = UInt64(truncatingIfNeeded: found.st_dev)
        inode = UInt64(truncatingIfNeeded: found.st_ino)
        nameCount = Int(found.st_nlink)
    }

    static func == (left: Self, right: Self) -> Bool { left.device == right.device && left.inode == right.inode }
}

extension StorageError {
    /// The file of an open store is not where it was.
    static func moved(_ path: String) -> StorageError {
        let name = URL(filePath: path).path
        let what =
            SQLitePlace(path) == nil
            ? "'\(name)' was deleted or renamed while it was open"
            : "Another file took the place of '\(name)', which was open"
        return StorageError(
            .unavailable, "\(what), so that nothing can be saved. Put it back, or close the store and open it again.")
    }

    /// A file that SQLite keeps beside that of an open store is not where it was.
    static func moved(_ path: String, _ suffix: String) -> StorageError {
        StorageError(
            .unavailable,
            "'\(URL(filePath: path).path)\(suffix)' was deleted or replaced while the store was open, so that "
                + "nothing can be saved. Close the store everywhere, and open it again.")
    }

    /// The file has several names.
    static func linked(_ name: String, _ count: Int) -> StorageError {
        StorageError(
            .unavailable,
            "'\(name)' is one of \(count) names (hard links) of the same file. SQLite keeps a log beside each name, so "
                + "that what is saved by one would be lost by another. Remove the other names, or copy the file.")
    }
}
