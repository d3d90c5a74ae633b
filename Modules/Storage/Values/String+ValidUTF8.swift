/// Decodes strings from UTF-8 bytes, and returns nil for invalid bytes.
extension String {
    /// A string from its bytes; nil if they are not UTF-8.
    package init?(validUTF8 bytes: some Collection<UInt8>) {
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            self.init(validating: bytes, as: UTF8.self)
        } else {
            self.init(comparing: bytes)
        }
    }

    /// Creates the same string on systems without `init(validating:as:)`.
    init?(comparing bytes: some Collection<UInt8>) {
        self.init(decoding: bytes, as: UTF8.self)
        // The decoder has replaced the bytes that are not UTF-8.
        guard utf8.elementsEqual(bytes) else { return nil }
    }
}
