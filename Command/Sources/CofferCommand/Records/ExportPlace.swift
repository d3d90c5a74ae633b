import Foundation

/// Writes the output file of an export, and replaces an existing file only when the export is complete.
struct ExportPlace {
    /// The file, or the target of a symbolic link.
    private let file: URL
    private let path: String
    /// The owner and the mode of a file that is replaced.
    private let former: stat?
    /// Whether the path is a device, a pipe or a socket, which is written and not replaced.
    let isDevice: Bool

    init(_ path: String) {
        var found = stat()
        // `stat` resolves links as the system does; the targets of some links have no path.
        let exists = stat(path, &found) == 0
        let isRegular = exists && found.st_mode & S_IFMT == S_IFREG
        isDevice = exists && !isRegular
        former = isRegular ? found : nil
        file = isRegular ? URL(filePath: path).resolvingSymlinksInPath() : URL(filePath: path)
        self.path = path
    }

    var name: String { file.lastPathComponent }

    /// Writes a draft beside the file and renames it at the end; writes a device directly.
    func write(_ body: (FileHandle) throws -> Int) throws -> Int {
        guard !isDevice else {
            guard let handle = FileHandle(forWritingAtPath: path) else {
                throw Failure(message: "'\(name)' cannot be written.")
            }
            let count = try body(handle)
            try handle.close()
            return count
        }
        guard former != nil || (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) == nil else {
            throw Failure(message: "'\(name)' is a link to a file that does not exist.")
        }
        let draft = file.deletingLastPathComponent().appending(path: ".\(name).\(UUID().uuidString.prefix(8))")
        let draftPath = draft.path(percentEncoded: false)
        guard FileManager.default.createFile(atPath: draftPath, contents: nil) else {
            throw Failure(message: "'\(name)' cannot be written in its folder.")
        }
        do {
            if let former {
                // Only the superuser can give a file to its former owner.
                _ = chown(draftPath, former.st_uid, former.st_gid)
                guard chmod(draftPath, former.st_mode & 0o7777) == 0 else {
                    throw Failure(message: "The file mode of '\(name)' cannot be preserved.")
                }
            }
            let handle = try FileHandle(forWritingTo: draft)
            let count = try body(handle)
            try handle.synchronize()
            try handle.close()
            guard rename(draftPath, file.path(percentEncoded: false)) == 0 else {
                throw Failure(message: "'\(name)' cannot be replaced.")
            }
            return count
        } catch {
            try? FileManager.default.removeItem(at: draft)
            throw error
        }
    }
}
