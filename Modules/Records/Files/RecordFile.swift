public import Foundation

/// A file of records: JSON lines, a JSON array or CSV.
///
/// ```swift
/// let file = try RecordFile(URL(filePath: "films.csv"))
/// ```
///
/// The value only names the file. ``RecordReader`` reads it record by record, so the file may be larger than memory.
public struct RecordFile: Sendable, Hashable {
    /// The URL of the file.
    public var url: URL
    /// How the file holds its records.
    public var format: RecordFormat
    /// The most bytes that one record may have.
    ///
    /// A record is held in memory as a whole. The limit keeps a damaged file, such as one with an open quotation mark, from
    /// filling the memory.
    public var maximumRecordSize = 64 << 20

    /// A file in a given format.
    public init(_ url: URL, format: RecordFormat) {
        self.url = url
        self.format = format
    }

    /// A file whose extension gives the format: `jsonl`, `ndjson`, `json`, `csv` or `tsv`.
    ///
    /// - Throws: ``RecordFileError`` if the extension is another one.
    public init(_ url: URL) throws(RecordFileError) {
        guard let format = RecordFormat(fileExtension: url.pathExtension) else {
            throw RecordFileError(
                .unknownFormat, file: url.lastPathComponent,
                reason: "The extension '\(url.pathExtension)' does not tell the format. Name the format, or use one of "
                    + "jsonl, ndjson, json, csv and tsv.")
        }
        self.init(url, format: format)
    }
}
