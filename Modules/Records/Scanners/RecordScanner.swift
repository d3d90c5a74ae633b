/// The protocol of scanners, which find the beginning and the end of each record in a file.
protocol RecordScanner {
    /// The next record; nil at the end of the file.
    mutating func next() throws(RecordFileError) -> RawRecord?

    /// The bytes of the file.
    var buffer: ByteBuffer { get }
}
