import CofferStorage

/// Compiles the pattern of a `LIKE` condition with its wildcards `?` and `*`, and matches strings with it.
struct LikePattern: Sendable {
    private enum Element: Sendable, Equatable {
        case scalar(Unicode.Scalar)
        case one
        case any
    }

    private let elements: [Element]

    init(_ pattern: String, _ options: TextOptions) {
        var elements: [Element] = []
        var isEscaped = false
        for scalar in pattern.unicodeScalars {
            switch (scalar, isEscaped) {
            case ("\\", false):
                isEscaped = true
                continue
            case ("?", false): elements.append(.one)
            case ("*", false): if elements.last != .any { elements.append(.any) }
            default: elements += TextFolding.fold(scalar, options).map(Element.scalar)
            }
            isEscaped = false
        }
        if isEscaped { elements.append(.scalar("\\")) }
        self.elements = elements
    }

    /// Whether a whole folded string matches the pattern.
    ///
    /// Only the last `*` is tried again, because another choice for an earlier `*` cannot be better.
    func holds(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var (place, element) = (0, 0)
        var retry: (place: Int, element: Int)?
        while place < text.count {
            if element < elements.count, elements[element] == .any {
                element += 1
                retry = (place, element)
                continue
            }
            let (scalar, length) = Self.scalar(in: text, at: place)
            if element < elements.count, elements[element] == .one || elements[element] == .scalar(scalar) {
                place += length
                element += 1
            } else if let last = retry {
                place = last.place + Self.scalar(in: text, at: last.place).length
                element = last.element
                retry = (place, element)
            } else {
                return false
            }
        }
        return elements[element...].allSatisfy { $0 == .any }
    }

    private static func scalar(in text: UnsafeBufferPointer<UInt8>, at place: Int) -> (Unicode.Scalar, length: Int) {
        let first = text[place]
        if first < 0x80 { return (Unicode.Scalar(first), 1) }
        let length = first < 0xE0 ? 2 : (first < 0xF0 ? 3 : 4)
        guard place + length <= text.count else { return ("\u{FFFD}", text.count - place) }
        var value = UInt32(first) & (0xFF >> UInt32(length + 1))
        for index in 1..<length { value = value << 6 | UInt32(text[place + index] & 0x3F) }
        return (Unicode.Scalar(value) ?? "\u{FFFD}", length)
    }
}
