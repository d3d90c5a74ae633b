public import Foundation

/// A file of records: its URL, its format, and the maximum size of a record, which is 64 MiB by default.
///
/// ```swift
/// let file = try RecordFile(URL(filePath: "films.csv"))
/// ```
///
/// The value contains only the location and the format. ``RecordReader`` reads the file record by record, so the file
/// may be larger than memory.
public struct RecordFile: Sendable, Hashable {
    /// The URL of the file.
    public var url: URL
    /// The format of the records.
    public var format: RecordFormat
    /// The maximum number of bytes of one record.
    ///
    /// A record is held in memory as a whole. With the limit, a damaged file, such as a file with an open quotation
    /// mark, cannot fill the memory.
    public var maximumRecordSize = 64 << 20

    /// Creates a file with a given format.
    public init(_ url: URL, format: RecordFormat) {
        self.url = url
        self.format = format
    }

    /// Creates a file whose extension determines the format: `jsonl`, `ndjson`, `json`, `csv` or `tsv`.
    ///
    /// - Throws: ``RecordFileError`` if the file has another extension.
    public init(_ url: URL) throws(RecordFileError) {
        guard let format = RecordFormat(fileExtension: url.pathExtension) else {
            throw RecordFileError(
                .unknownFormat, file: url.lastPathComponent,
                reason: "The extension '\(url.pathExtension)' belongs to no known format. Name the format, or use one "
                    + "of the extensions jsonl, ndjson, json, csv and tsv.")
        }
        self.init(url, format: format)
    }
}
