import Foundation

extension UnsafeRawBufferPointer {
    /// Returns the position of a string in the bytes.
    func firstIndex(of text: StaticString) -> Int? {
        firstIndex(of: UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Returns the position of some bytes in these bytes.
    func firstIndex(of pattern: UnsafeRawBufferPointer) -> Int? {
        guard let base = baseAddress, let searched = pattern.baseAddress, count >= pattern.count else { return nil }
        return (0...count - pattern.count).first { place in
            self[place] == pattern[0] && memcmp(base + place, searched, pattern.count) == 0
        }
    }
}
