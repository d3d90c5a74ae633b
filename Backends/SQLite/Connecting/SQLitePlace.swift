import CofferCSQLite
import Foundation

/// The identity of the file at a path: its device and inode.
///
/// While a process has the file open, no other file has the same identity. Renaming the file does not change it.
struct SQLitePlace: Equatable {
    let device: UInt64
    let inode: UInt64
    /// How many names (hard links) the file has.
    let nameCount: Int

    /// Nil when there is nothing.
    init?(_ path: String) {
        var found = stat()
        // Passed as an argument, the string would be copied.
        guard path.withCString({ stat($0, &found) }) == 0 else { return nil }
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

    /// The file at a path and those that SQLite keeps beside it.
    static func files(_ path: String) -> [String] { [path, path + "-wal", path + "-shm", path + "-journal"] }

    /// The bytes of the file at a path; 0 where there is none.
    static func size(_ path: String) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.size] as? NSNumber)?.intValue ?? 0
    }

    /// Gives a file a new name where there is no file of that name; false, with `errno`, when it could not.
    static func rename(_ path: String, toUnused name: String) -> Bool { coffer_rename_new(path, name) == 0 }

    static func == (left: Self, right: Self) -> Bool { left.device == right.device && left.inode == right.inode }
}
