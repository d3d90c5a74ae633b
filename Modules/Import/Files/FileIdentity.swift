import CofferRecords
import Foundation

/// Detects whether a file has changed during an import, and has the error for a file that cannot be read again.
struct FileIdentity: Equatable {
    private let size: UInt64?
    private let modificationDate: Date?
    private let number: UInt64?
    private let isRegular: Bool

    /// - Parameter url: a file, or a symbolic link to one.
    init(_ url: URL) {
        let path = url.resolvingSymlinksInPath().path(percentEncoded: false)
        let attributes = (try? FileManager.default.attributesOfItem(atPath: path)) ?? [:]
        size = (attributes[.size] as? NSNumber)?.uint64Value
        modificationDate = attributes[.modificationDate] as? Date
        number = (attributes[.systemFileNumber] as? NSNumber)?.uint64Value
        isRegular = attributes[.type] as? FileAttributeType == .typeRegular
    }

    /// The number of bytes; nil for a pipe.
    var byteCount: Int64? { isRegular ? size.map { Int64(clamping: $0) } : nil }

    /// Checks that a file can be read again.
    ///
    /// - Throws: ``RecordFileError`` if the file is a pipe, or has changed.
    func checkUnchanged(_ file: RecordFile) throws(RecordFileError) {
        guard !isRegular || FileIdentity(file.url) != self else { return }
        let fact = isRegular ? "has changed since the first reading" : "is not a regular file, and is empty now"
        throw RecordFileError(
            .unavailable, file: file.url.lastPathComponent,
            reason: "The file must be read again without the refused records, but it \(fact). Use a file that does not "
                + "change, or import in batches.")
    }
}
