/// The position of a reader in its file, which the copies of the reader share.
final class RecordCursor {
    private var scanner: any RecordScanner
    private var count = 0

    init(_ scanner: any RecordScanner) { self.scanner = scanner }

    /// The number of bytes of the file that were consumed.
    var byteCount: Int64 { scanner.buffer.taken }

    /// Closes the file.
    func close() { scanner.buffer.close() }

    /// The next record and its number; nil at the end of the file.
    func next() throws(RecordFileError) -> (record: RawRecord, number: Int)? {
        guard let record = try scanner.next() else { return nil }
        count += 1
        return (record, count)
    }
}
