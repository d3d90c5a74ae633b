/// Scans a file with one JSON value in each line, and finds its lines.
struct LineScanner: RecordScanner {
    private(set) var buffer: ByteBuffer
    private var line = 0

    init(_ buffer: ByteBuffer) throws(RecordFileError) {
        self.buffer = buffer
        try self.buffer.takeMark()
    }

    mutating func next() throws(RecordFileError) -> RawRecord? {
        while let length = try lengthOfLine() {
            line += 1
            try buffer.checkSize(length, line)
            let content = buffer.bytes[buffer.start..<buffer.start + length]
            let isBlank = content.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
            defer { buffer.take(min(length + 1, buffer.count)) }
            if !isBlank { return RawRecord(line: line, content: .json(buffer.prefix(length))) }
        }
        return nil
    }

    /// The number of bytes before the next line feed, or before the end of the file; nil at the end.
    private mutating func lengthOfLine() throws(RecordFileError) -> Int? {
        var searched = 0
        while true {
            let rest = buffer.bytes[(buffer.start + searched)..<buffer.end]
            if let place = rest.firstIndex(of: 0x0A) { return place - buffer.start }
            searched = buffer.count
            guard try buffer.fill(line: line + 1) else { return buffer.count > 0 ? buffer.count : nil }
        }
    }
}
