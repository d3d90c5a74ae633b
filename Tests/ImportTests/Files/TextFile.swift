import CofferRecords
import Foundation
import TestSupport

/// A file of records, which is removed when the value is released.
final class TextFile {
    let url: URL
    private let directory: URL

    /// - Parameter name: the file name; its extension determines the format.
    convenience init(_ name: String, _ text: String) throws {
        try self.init(name, Data(text.utf8))
    }

    init(_ name: String, _ content: Data) throws {
        directory = try TestStack.makeDirectory()
        url = directory.appending(path: name)
        try content.write(to: url)
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    func records() throws -> RecordFile { try RecordFile(url) }
}

/// The data sets beside the repository, or in the folder that `COFFER_DATA` names.
enum SharedData {
    static let advice = "put the data sets into ../shared/data, or set COFFER_DATA"

    /// Returns the URL of a data set's file; nil if the file does not exist.
    static func file(_ path: String) -> URL? {
        let repository = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        let folder =
            ProcessInfo.processInfo.environment["COFFER_DATA"].map { URL(filePath: $0) }
            ?? repository.deletingLastPathComponent().appending(path: "shared/data")
        let file = folder.appending(path: path)
        return FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) ? file : nil
    }
}
