/// The protocol of scanners, which find the beginning and the end of each record in a file.
protocol RecordScanner {
    /// The next record; nil at the end of the file.
    mutating func next() throws(RecordFileError) -> RawRecord?

    /// The number of bytes of the file that are used up.
    var byteCount: Int64 { get }

    /// Closes the file.
    func close()
}
