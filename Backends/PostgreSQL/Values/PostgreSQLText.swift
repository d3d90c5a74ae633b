/// Encodes and decodes strings, and escapes the characters U+0000 to U+0003.
///
/// PostgreSQL cannot store U+0000. Strings without these four characters are stored unchanged, so that other programs
/// can read them. Each of the four characters is written as U+0001 and two of U+0002 and U+0003. No such sequence
/// begins inside of another sequence, and all of its characters are less than U+0004. Comparisons, prefixes, suffixes
/// and substrings of the stored strings therefore have the same results as for the strings themselves.
enum PostgreSQLText {
    /// Appends the stored form of a string.
    @inline(__always)
    static func append(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        guard hasSmall(text) else { return bytes.append(contentsOf: text) }
        for byte in text {
            if byte < 4 { bytes += [1, 2 + (byte >> 1), 2 + (byte & 1)] } else { bytes.append(byte) }
        }
    }

    /// Returns the stored form of a string.
    static func kept(_ text: String) -> String {
        var text = text
        var bytes: [UInt8] = []
        text.withUTF8 { append($0, to: &bytes) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether stored bytes differ from the bytes of their string.
    @inline(__always)
    static func isWritten(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.withMemoryRebound(to: UInt8.self, hasSmall)
    }

    /// Returns the bytes of the string for stored bytes.
    ///
    /// Bytes that are not a valid sequence stay as they are.
    static func read(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if bytes[index] == 1, index + 2 < bytes.count, bytes[index + 1] & ~1 == 2, bytes[index + 2] & ~1 == 2 {
                text.append((bytes[index + 1] & 1) << 1 | bytes[index + 2] & 1)
                index += 3
            } else {
                text.append(bytes[index])
                index += 1
            }
        }
        return text
    }

    static func string(_ bytes: UnsafeRawBufferPointer) -> String {
        isWritten(bytes) ? String(decoding: read(bytes), as: UTF8.self) : String(decoding: bytes, as: UTF8.self)
    }

    @inline(__always)
    private static func hasSmall(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        // The loop has no branch for each byte, so that one instruction tests many bytes.
        var small: UInt8 = 0
        for byte in bytes { small |= byte < 4 ? 1 : 0 }
        return small != 0
    }
}
