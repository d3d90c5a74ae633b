/// The formats of records, with their file extensions and the separators that CSV allows.
public enum RecordFormat: Sendable, Hashable {
    /// One JSON value in each line; empty lines are ignored.
    case jsonLines
    /// One JSON array, whose elements are the records.
    case jsonArray
    /// Comma-separated values as RFC 4180 defines them, with a header row.
    ///
    /// The separator may be any other ASCII character, such as `;` or a tab. A quoted field may contain separators,
    /// line breaks and doubled quotation marks. Lines end with LF, CR LF or CR. An empty field without quotation marks
    /// is null. If a field does not begin with a quotation mark, quotation marks in the field have no special meaning.
    case csv(separator: Character = ",")

    /// The byte that separates the fields of CSV.
    ///
    /// - Throws: ``RecordFileError`` if the character cannot separate fields.
    static func separatorByte(_ separator: Character, file: String) throws(RecordFileError) -> UInt8 {
        guard let byte = separator.asciiValue, !"\"\n\r".utf8.contains(byte) else {
            throw RecordFileError(
                .unknownFormat, file: file,
                reason: "'\(separator)' cannot separate fields. Use an ASCII character other than '\"' and line ends.")
        }
        return byte
    }

    /// Returns the format of files with an extension; nil for an unknown extension.
    public init?(fileExtension: String) {
        switch fileExtension.lowercased() {
        case "jsonl", "ndjson": self = .jsonLines
        case "json": self = .jsonArray
        case "csv": self = .csv()
        case "tsv": self = .csv(separator: "\t")
        default: return nil
        }
    }
}
