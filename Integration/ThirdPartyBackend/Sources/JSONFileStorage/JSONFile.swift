import CofferStorage
import Foundation

/// The file, which is read as a whole and replaced as a whole.
///
/// A reader finds the old content or the new content, also after a crash.
struct JSONFile {
    let url: URL

    func read() throws(StorageError) -> Document? {
        guard FileManager.default.fileExists(atPath: url.path) else { return nil }
        let data: Data
        do {
            data = try Data(contentsOf: url)
        } catch {
            throw StorageError(.unavailable, "'\(url.lastPathComponent)' cannot be read.", cause: "\(error)")
        }
        do {
            return try JSONDecoder().decode(Document.self, from: data)
        } catch {
            throw StorageError(
                .foreign, "'\(url.lastPathComponent)' is not a file of JSONFileStore.", cause: "\(error)")
        }
    }

    func write(_ document: Document) throws(StorageError) {
        let new = url.appendingPathExtension("new")
        do {
            let data = try JSONEncoder().encode(document)
            try Data().write(to: new)
            let handle = try FileHandle(forWritingTo: new)
            defer { try? handle.close() }
            try handle.write(contentsOf: data)
            try handle.synchronize()
        } catch {
            throw StorageError(.unavailable, "'\(url.lastPathComponent)' cannot be written.", cause: "\(error)")
        }
        guard rename(new.path, url.path) == 0 else {
            throw StorageError(.unavailable, "'\(url.lastPathComponent)' cannot be replaced.", cause: "errno \(errno)")
        }
    }

    func remove() throws(StorageError) {
        guard FileManager.default.fileExists(atPath: url.path) else { return }
        do {
            try FileManager.default.removeItem(at: url)
        } catch {
            throw StorageError(.unavailable, "'\(url.lastPathComponent)' cannot be removed.", cause: "\(error)")
        }
    }
}
