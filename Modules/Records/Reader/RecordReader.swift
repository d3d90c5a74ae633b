import Foundation

/// A record of a file that a ``RecordReader`` has decoded or refused.
public struct FileRecord<Source> {
    /// The line at which the record begins; the first line is 1.
    public let line: Int
    /// The number of the record; the first record is 1.
    public let number: Int
    /// The decoded record, or the reason why it cannot be decoded.
    public let content: Result<Source, RefusedRecord>
}

extension FileRecord: Sendable where Source: Sendable {}

/// Reads a file one record at a time: chooses the scanner, and decodes each record as JSON or CSV.
///
/// ```swift
/// struct Film: Decodable {
///     var title: String
///     var year: Int?
/// }
///
/// var reader = try RecordReader<Film>(RecordFile(url))
/// while let record = try reader.next() {
///     switch record.content {
///     case .success(let film): print(film.title)
///     case .failure(let refused): print(refused)
///     }
/// }
/// ```
///
/// Foundation's `JSONDecoder` decodes JSON. For CSV, the names of the header are the keys of each row. In both formats,
/// a date is a string in ISO 8601, or the number of seconds since 1 January 2001. Data is a string in Base64. Infinite
/// numbers are the strings `inf` and `-inf`.
///
/// If a record cannot be decoded, reading continues with the next record. Reading blocks the thread, so call the reader
/// in a transaction or on a queue, and not in a task. Copies of a reader share one position in the file: each record is
/// read once.
public struct RecordReader<Source: Decodable> {
    private let cursor: RecordCursor
    private let header: CSVHeader?
    private let decoder = JSONDecoder()
    private let userInfo: [CodingUserInfoKey: any Sendable]

    /// Creates a reader at the first record of a file.
    ///
    /// - Throws: ``RecordFileError`` if the file cannot be opened, or the header row of CSV cannot be read.
    public init(_ file: RecordFile) throws(RecordFileError) { try self.init(file, isCancelled: { false }) }

    /// Creates a reader at the first record of a file; another thread may cancel the reader.
    package init(
        _ file: RecordFile, userInfo: [CodingUserInfoKey: any Sendable] = [:],
        isCancelled: @escaping @Sendable () -> Bool
    ) throws(RecordFileError) {
        let buffer = try ByteBuffer(file, isCancelled)
        switch file.format {
        case .jsonLines: (cursor, header) = (RecordCursor(try LineScanner(buffer)), nil)
        case .jsonArray: (cursor, header) = (RecordCursor(try ArrayScanner(buffer)), nil)
        case .csv(let separator):
            let rows = try CSVScanner(buffer, separator: separator)
            (cursor, header) = (RecordCursor(rows), rows.header)
        }
        self.userInfo = userInfo
        decoder.userInfo = userInfo
        decoder.dateDecodingStrategy = .custom(RecordDate.decode)
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    }

    /// The number of bytes of the file that were read so far.
    public var byteCount: Int64 { cursor.byteCount }

    /// Closes the file, also for the copies of the reader.
    package func close() { cursor.close() }

    /// Reads the next record.
    ///
    /// - Returns: the record; nil at the end of the file.
    /// - Throws: ``RecordFileError`` if the rest of the file cannot be read. Possible reasons are an error of the
    ///   system, a bracket or quotation mark that is not closed, or a record that is larger than
    ///   ``RecordFile/maximumRecordSize``.
    public mutating func next() throws(RecordFileError) -> FileRecord<Source>? {
        guard let (raw, number) = try cursor.next() else { return nil }
        return FileRecord(line: raw.line, number: number, content: decoded(raw, number))
    }

    private func decoded(_ raw: RawRecord, _ number: Int) -> Result<Source, RefusedRecord> {
        do {
            switch (raw.content, header) {
            case (.json(let data), _): return .success(try decoder.decode(Source.self, from: data))
            case (.csv(let row), let header?):
                return .success(try Source(from: CSVRowDecoder(header: header, row: row, userInfo: userInfo)))
            case (.csv, nil): throw RecordFieldError(key: "", reason: "The file has no header.")
            case (.invalid(let reason), _):
                return .failure(RefusedRecord(line: raw.line, number: number, reason: reason))
            }
        } catch {
            return .failure(RefusedRecord(line: raw.line, number: number, error: error))
        }
    }
}

extension RecordReader where Source == FieldRecord {
    /// Creates a reader of records whose keys are known only at run time.
    ///
    /// - Parameter ignoresUnknownKeys: whether a record may have keys without a field. If not, such a record is
    ///   refused, and for such a column of CSV, the initialiser throws an error.
    /// - Throws: the same errors as ``init(_:)``.
    public init(
        _ file: RecordFile, fields: [RecordField], ignoresUnknownKeys: Bool = false
    ) throws(RecordFileError) {
        try self.init(file, fields: fields, ignoresUnknownKeys: ignoresUnknownKeys, isCancelled: { false })
    }

    /// Creates a reader of records whose keys are known only at run time; another thread may cancel the reader.
    package init(
        _ file: RecordFile, fields: [RecordField], ignoresUnknownKeys: Bool,
        isCancelled: @escaping @Sendable () -> Bool
    ) throws(RecordFileError) {
        let shape = FieldRecord.Shape(fields: fields, ignoresUnknownKeys: ignoresUnknownKeys)
        let userInfo = CodingUserInfoKey.recordShape.map { [$0: shape as any Sendable] } ?? [:]
        try self.init(file, userInfo: userInfo, isCancelled: isCancelled)
        guard let header else { return }
        for name in header.names {
            guard let error = shape.refusal(ofKey: name) else { continue }
            throw RecordFileError(
                .unknownKey, file: file.url.lastPathComponent, line: header.line,
                reason: "Column '\(name)': \(error.reason)")
        }
    }
}
