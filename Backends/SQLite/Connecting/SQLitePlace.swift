import CofferCSQLite
import Foundation

/// The identity of the file at a path: its device and inode.
///
/// While a process has the file open, no other file has the same identity. Renaming the file does not change it.
struct SQLitePlace: Equatable {
    let device: UInt64
    let inode: UInt64
    /// The number of names (hard links) of the file.
    let nameCount: Int

    /// Reads the identity of the file at a path; nil if there is no file.
    init?(_ path: String) {
        var found = stat()
        // Passed as an argument, the string would be copied.
        guard path.withCString({ stat($0, &found) }) == 0 else { return nil }
        self.init(found)
    }

    /// Reads the identity of the file of a descriptor.
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

    /// Returns the paths of a file and of the files that SQLite keeps beside it.
    static func files(_ path: String) -> [String] { [path, path + "-wal", path + "-shm", path + "-journal"] }

    /// Returns the number of bytes of the file at a path; 0 if there is no file.
    static func size(_ path: String) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.size] as? NSNumber)?.intValue ?? 0
    }

    /// Renames a file if no file has the new name; returns false, and sets `errno`, if this fails.
    static func rename(_ path: String, toUnused name: String) -> Bool { coffer_rename_new(path, name) == 0 }

    static func == (left: Self, right: Self) -> Bool { left.device == right.device && left.inode == right.inode }
}
