extension String {
    /// A text from its bytes; nil if they are not UTF-8.
    ///
    /// `init(validating:as:)` would do, but it needs macOS 15 and iOS 18.
    package init?(validUTF8 bytes: some Collection<UInt8>) {
        self.init(decoding: bytes, as: UTF8.self)
        // A byte that is not UTF-8 was replaced.
        guard utf8.elementsEqual(bytes) else { return nil }
    }
}
