/// Reads the string and number literals of a format string: escapes, hexadecimal numbers, and limits of numbers.
extension FormatLexer {
    /// Reads the string between two quotes.
    ///
    /// `%%` is a percent sign. Other sequences that begin with a percent sign have no special meaning here.
    mutating func string() throws(PredicateFormatError) -> String {
        let start = place
        let quote = bytes[place]
        place += 1
        if let text = plainString(quote) { return text }
        var text: [UInt8] = []
        while let byte = byte() {
            place += 1
            switch byte {
            case quote: return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): try escape(&text)
            case UInt8(ascii: "%"):
                text.append(byte)
                if self.byte() == byte { place += 1 }
            default: text.append(byte)
            }
        }
        throw error(at: start, "a quote at the end of the string that begins here", found: nil)
    }

    /// Reads the rest of a string without escapes or percent signs; returns nil for another string.
    private mutating func plainString(_ quote: UInt8) -> String? {
        var end = place
        while end < bytes.count, bytes[end] != quote {
            guard bytes[end] != UInt8(ascii: "\\"), bytes[end] != UInt8(ascii: "%") else { return nil }
            end += 1
        }
        guard end < bytes.count else { return nil }
        defer { place = end + 1 }
        return String(decoding: bytes[place..<end], as: UTF8.self)
    }

    /// The control characters, by the letters that follow a backslash.
    private static let controls = Dictionary(
        uniqueKeysWithValues: zip("ntrabfv".utf8, "\n\t\r\u{7}\u{8}\u{C}\u{B}".utf8))

    private mutating func escape(_ text: inout [UInt8]) throws(PredicateFormatError) {
        guard let letter = byte() else { return }
        place += 1
        if let control = Self.controls[letter] { return text.append(control) }
        switch letter {
        case UInt8(ascii: "0")...UInt8(ascii: "7"):
            place -= 1
            append(digits(radix: 8, atMost: 3).value, to: &text)
        case UInt8(ascii: "x") where byte().flatMap { Self.digit($0, radix: 16) } != nil:
            append(digits(radix: 16, atMost: 2).value, to: &text)
        case UInt8(ascii: "u"):
            append(try unicodeScalar(), to: &text)
        default: text.append(letter)
        }
    }

    /// Reads the digits after `\u`: four digits, or two escapes of four digits for a character of two code units.
    private mutating func unicodeScalar() throws(PredicateFormatError) -> UInt32 {
        let start = place - 2
        var (value, count) = digits(radix: 16, atMost: 4)
        if count == 4, value >> 10 == 0xD800 >> 10, byte() == UInt8(ascii: "\\"), byte(1) == UInt8(ascii: "u") {
            place += 2
            let low = digits(radix: 16, atMost: 4)
            count = low.count
            value = low.value >> 10 == 0xDC00 >> 10 ? 0x10000 + (value & 0x3FF) << 10 + low.value & 0x3FF : 0xD800
        }
        guard count == 4, Unicode.Scalar(value) != nil else {
            throw error(at: start, "four hexadecimal digits of a character after '\\u'")
        }
        return value
    }

    private func append(_ value: UInt32, to text: inout [UInt8]) {
        guard let scalar = Unicode.Scalar(value) else { return }
        text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }

    private mutating func digits(radix: UInt32, atMost limit: Int) -> (value: UInt32, count: Int) {
        var (value, count): (UInt32, Int) = (0, 0)
        while count < limit, let digit = byte().flatMap({ Self.digit($0, radix: radix) }) {
            value = value * radix + digit
            count += 1
            place += 1
        }
        return (value, count)
    }

    private static func digit(_ byte: UInt8, radix: UInt32) -> UInt32? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt32.init).flatMap { $0 < radix ? $0 : nil }
    }

    /// Reads digits with or without a fraction and an exponent, or `0x`, `0o` or `0b` and digits.
    mutating func number() throws(PredicateFormatError) -> FormatNumber {
        let start = place
        if let integer = plainInteger() { return .integer(integer) }
        if byte() == UInt8(ascii: "0"), let radix = byte(1).flatMap(Self.radix),
            byte(2).flatMap({ Self.digit($0, radix: radix) }) != nil
        {
            place += 2
            let first = place
            while let next = byte(), Self.digit(next, radix: radix) != nil { place += 1 }
            guard let value = UInt64(text(from: first), radix: Int(radix)) else {
                throw error(at: start, "a number of at most 64 bits")
            }
            return .integer(value)
        }
        var isWhole = true
        skipDigits()
        if byte() == UInt8(ascii: "."), byte(1).map(Self.isDigit) ?? false {
            isWhole = false
            place += 1
            skipDigits()
        }
        if let letter = byte(), letter | 32 == UInt8(ascii: "e") {
            let hasSign = byte(1) == UInt8(ascii: "+") || byte(1) == UInt8(ascii: "-")
            if byte(hasSign ? 2 : 1).map(Self.isDigit) ?? false {
                isWhole = false
                place += hasSign ? 3 : 2
                skipDigits()
            }
        }
        let text = text(from: start)
        if isWhole { return UInt64(text).map(FormatNumber.integer) ?? .digits(text) }
        guard let value = Double(text.hasPrefix(".") ? "0" + text : text), value.isFinite else {
            throw error(at: start, "a number that a double can hold")
        }
        return .double(value)
    }

    /// Reads a decimal integer of at most 64 bits; returns nil for a number of another form.
    private mutating func plainInteger() -> UInt64? {
        var (value, end): (UInt64, Int) = (0, place)
        while end < bytes.count, Self.isDigit(bytes[end]) {
            let (tenfold, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflows) = tenfold.addingReportingOverflow(UInt64(bytes[end] - 48))
            guard !isTooLarge, !overflows else { return nil }
            value = sum
            end += 1
        }
        // A letter may be an exponent, or the mark of another radix.
        if end < bytes.count, bytes[end] == UInt8(ascii: ".") || Self.startsName(bytes[end]) { return nil }
        guard end > place else { return nil }
        place = end
        return value
    }

    private static func radix(_ letter: UInt8) -> UInt32? {
        switch letter | 32 {
        case UInt8(ascii: "x"): 16
        case UInt8(ascii: "o"): 8
        case UInt8(ascii: "b"): 2
        default: nil
        }
    }

    private mutating func skipDigits() {
        while let next = byte(), Self.isDigit(next) { place += 1 }
    }
}
