/// Checks whether bytes are ASCII characters.
extension UnsafeBufferPointer<UInt8> {
    /// Whether all bytes are ASCII characters.
    package var isASCII: Bool {
        // Without a branch for each byte, the compiler processes many bytes at once.
        var all: UInt8 = 0
        for byte in self { all |= byte }
        return all < 0x80
    }
}
