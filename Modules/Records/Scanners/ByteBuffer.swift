import Foundation

/// Reads the bytes of a file in pieces; limits the size of a record, and refuses UTF-16 and UTF-32.
struct ByteBuffer {
    /// Bytes that are read but not taken yet are `bytes[start..<end]`.
    private(set) var bytes: [UInt8] = []
    private(set) var start = 0
    private(set) var end = 0
    /// The number of bytes taken.
    private(set) var taken: Int64 = 0

    private let input: InputFile
    private let file: RecordFile

    private static let pieceSize = 1 << 18

    /// - Parameter isCancelled: called before each piece is read, and while a pipe has nothing to read.
    init(_ file: RecordFile, _ isCancelled: @escaping @Sendable () -> Bool) throws(RecordFileError) {
        self.file = file
        do {
            input = try InputFile(file.url, isCancelled)
        } catch {
            throw Self.failure(error, file, "opened")
        }
    }

    /// The number of bytes that are read but not taken yet.
    var count: Int { end - start }

    /// Reads another piece.
    ///
    /// - Returns: false at the end of the file.
    /// - Throws: ``RecordFileError`` if the system cannot read, if reading is cancelled, or if the buffer has more
    ///   bytes than one record may have.
    mutating func fill(line: Int) throws(RecordFileError) -> Bool {
        guard count <= file.maximumRecordSize else { throw tooLarge(line) }
        if start > 0 {
            bytes.removeSubrange(..<start)
            (start, end) = (0, end - start)
        }
        do {
            let length = try input.append(upTo: Self.pieceSize, to: &bytes)
            end += length
            return length > 0
        } catch {
            throw Self.failure(error, file, "read", line: line)
        }
    }

    /// Closes the file; other copies of the buffer cannot read it any more.
    func close() { input.close() }

    /// Takes bytes from the front.
    mutating func take(_ count: Int) {
        start += count
        taken += Int64(count)
    }

    /// Takes the byte-order mark of UTF-8, if the file begins with one.
    ///
    /// - Throws: ``RecordFileError`` for the mark of another encoding.
    mutating func takeMark() throws(RecordFileError) {
        while count < 3, try fill(line: 1) {}
        if bytes[start..<end].starts(with: [0xEF, 0xBB, 0xBF]) { take(3) }
        for mark: [UInt8] in [[0xFE, 0xFF], [0xFF, 0xFE]] where bytes[start..<end].starts(with: mark) {
            throw damaged(1, "The file is UTF-16 or UTF-32. Convert it to UTF-8.")
        }
    }

    /// Returns a copy of the first bytes.
    func prefix(_ count: Int) -> Data { Data(bytes[start..<start + count]) }

    var fileName: String { file.url.lastPathComponent }

    var maximumRecordSize: Int { file.maximumRecordSize }

    /// - Throws: ``RecordFileError`` if the length of a record exceeds the limit.
    func checkSize(_ length: Int, _ line: Int) throws(RecordFileError) {
        guard length <= file.maximumRecordSize else { throw tooLarge(line) }
    }

    func tooLarge(_ line: Int) -> RecordFileError {
        damaged(
            line,
            "The record that begins here has more than \(file.maximumRecordSize) bytes. Look for a quotation mark or a "
                + "bracket that is not closed, or set 'maximumRecordSize'.")
    }

    func damaged(_ line: Int, _ reason: String) -> RecordFileError {
        RecordFileError(.damaged, file: fileName, line: line, reason: reason)
    }

    private static func failure(
        _ error: any Error, _ file: RecordFile, _ verb: String, line: Int? = nil
    ) -> RecordFileError {
        let name = file.url.lastPathComponent
        if error is CancellationError { return .init(.cancelled, file: name, reason: "Reading was cancelled.") }
        let text = (error as? InputFile.Failure)?.text ?? "\(error)"
        return .init(.unavailable, file: name, line: line, reason: "The file cannot be \(verb): \(text).")
    }
}
