/// Scans a file with one JSON array: finds its elements, and has the errors for commas and brackets.
///
/// The scanner recognises only quotation marks and brackets. The decoder checks whether an element is correct JSON.
struct ArrayScanner: RecordScanner {
    private enum Place {
        case beforeArray, beforeFirst, afterElement, afterArray
    }

    private(set) var buffer: ByteBuffer
    private var line = 1
    private var place = Place.beforeArray

    private static let quote = UInt8(ascii: "\""), backslash = UInt8(ascii: "\\")

    init(_ buffer: ByteBuffer) throws(RecordFileError) {
        self.buffer = buffer
        try self.buffer.takeMark()
    }

    mutating func next() throws(RecordFileError) -> RawRecord? {
        if place == .beforeArray {
            guard try nextToken() == UInt8(ascii: "[") else {
                throw buffer.damaged(
                    line, "The file does not begin with '['. For one value in each line, use JSON lines.")
            }
            buffer.take(1)
            place = .beforeFirst
        }
        guard place != .afterArray, var token = try nextToken() else { return nil }
        if token == UInt8(ascii: "]") {
            buffer.take(1)
            place = .afterArray
            guard try nextToken() == nil else {
                throw buffer.damaged(line, "The file has text after the end of the array.")
            }
            return nil
        }
        if place == .afterElement {
            guard token == UInt8(ascii: ",") else {
                throw buffer.damaged(line, "There is no comma between two elements.")
            }
            buffer.take(1)
            guard let following = try nextToken() else { return nil }
            token = following
        }
        guard token != UInt8(ascii: ","), token != UInt8(ascii: "]") else {
            throw buffer.damaged(line, "An element is missing before or after a comma.")
        }
        place = .afterElement
        return try element()
    }

    /// The first byte that is no white space, which stays in the buffer; nil at the end of a whole array.
    private mutating func nextToken() throws(RecordFileError) -> UInt8? {
        while true {
            while buffer.count > 0 {
                let byte = buffer.bytes[buffer.start]
                switch byte {
                case 0x0A: line += 1
                case 0x20, 0x09, 0x0D: break
                default: return byte
                }
                buffer.take(1)
            }
            guard try buffer.fill(line: line) else {
                guard place == .afterArray else { throw buffer.damaged(line, "The file ends before the array ends.") }
                return nil
            }
        }
    }

    /// Takes an element, which begins at the front of the buffer.
    private mutating func element() throws(RecordFileError) -> RawRecord {
        let first = line
        var element = Element()
        var length = 0
        while true {
            let isComplete = buffer.bytes.withUnsafeBufferPointer { bytes in
                element.scan(bytes, from: buffer.start, to: buffer.end, &length, &line)
            }
            if isComplete { break }
            guard try buffer.fill(line: first) else {
                throw buffer.damaged(first, "The file ends inside the element that begins here.")
            }
        }
        try buffer.checkSize(length, first)
        defer { buffer.take(length) }
        return RawRecord(line: first, content: .json(buffer.prefix(length)))
    }

    /// The state of the scan of an element.
    private struct Element {
        private var depth = 0
        private var isInText = false
        private var isEscaped = false

        /// Continues the scan `length` bytes after `start`.
        ///
        /// - Returns: whether the element ends before `end`; its length is `length` then.
        mutating func scan(
            _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int, _ length: inout Int, _ line: inout Int
        ) -> Bool {
            var index = start + length
            defer { length = index - start }
            while index < end {
                let byte = bytes[index]
                if isInText {
                    if isEscaped {
                        isEscaped = false
                    } else if byte == ArrayScanner.backslash {
                        isEscaped = true
                    } else if byte == ArrayScanner.quote {
                        isInText = false
                    }
                } else {
                    switch byte {
                    case ArrayScanner.quote: isInText = true
                    case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                    case UInt8(ascii: "]") where depth == 0, UInt8(ascii: ",") where depth == 0: return true
                    case UInt8(ascii: "}"), UInt8(ascii: "]"):
                        depth -= 1
                        if depth <= 0 {
                            index += 1
                            return true
                        }
                    default: break
                    }
                }
                if byte == 0x0A { line += 1 }
                index += 1
            }
            return false
        }
    }
}
