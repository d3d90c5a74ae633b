/// Splits a format string into tokens: words, signs, options, and placeholders such as `%@` and `%K`.
struct FormatLexer {
    let format: String
    let bytes: [UInt8]
    var place = 0

    init(_ format: String) {
        self.format = format
        bytes = Array(format.utf8)
    }

    /// Returns the token at the current place, and moves the place behind the token.
    mutating func next() throws(PredicateFormatError) -> FormatToken {
        skipSpace()
        let start = place
        return FormatToken(kind: try kind(), start: start)
    }

    private mutating func kind() throws(PredicateFormatError) -> FormatToken.Kind {
        guard let byte = byte() else { return .end }
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return .string(try string())
        case UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
        case UInt8(ascii: ".") where self.byte(1).map(Self.isDigit) ?? false: return .number(try number())
        case UInt8(ascii: "$"):
            place += 1
            return .variable(try name("the name of a variable"))
        case UInt8(ascii: "@"):
            place += 1
            return .pathOperator("@" + (try name("the name of an operator, such as @count")))
        case UInt8(ascii: "#"): return .key(try escapedKey())
        case UInt8(ascii: "%"): return try argument()
        default:
            if Self.startsName(byte) { return word() }
            guard let sign = FormatSign.longest(byte, self.byte(1)) else {
                let hint = byte < 0x80 ? "" : " (pass keys with such letters as %K)"
                throw error(at: place, "a value or an operator\(hint)")
            }
            place += sign.rawValue.utf8.count
            return .sign(sign)
        }
    }

    /// Returns the letters between brackets directly after an operator; nil if there is no bracket.
    mutating func options() throws(PredicateFormatError) -> (letters: String, start: Int)? {
        let before = place
        skipSpace()
        guard byte() == UInt8(ascii: "[") else {
            place = before
            return nil
        }
        place += 1
        skipSpace()
        let start = place
        skipName()
        let letters = text(from: start)
        skipSpace()
        guard byte() == UInt8(ascii: "]") else { throw error(at: place, "']' after the options of an operator") }
        place += 1
        return (letters, start)
    }

    private mutating func word() -> FormatToken.Kind {
        let start = place
        skipName()
        for (tail, keyword) in [("-CONFORMS-TO", FormatKeyword.conformsToType), ("-EQUALS", .equalsType)]
        where place - start == 3 && FormatKeyword.spelled(bytes[start...].prefix(3 + tail.utf8.count)) == keyword {
            place += tail.utf8.count
            return .keyword(keyword)
        }
        if byte() == UInt8(ascii: ":"), byte(1) != UInt8(ascii: "=") {
            while byte() == UInt8(ascii: ":") {
                place += 1
                let before = place
                if let next = byte(), Self.startsName(next) { skipName() }
                if byte() != UInt8(ascii: ":") { place = before }
            }
            return .selector(text(from: start))
        }
        if let keyword = FormatKeyword.spelled(bytes[start..<place]) { return .keyword(keyword) }
        return .key(text(from: start))
    }

    private mutating func escapedKey() throws(PredicateFormatError) -> String {
        place += 1
        let isQuoted = byte() == UInt8(ascii: "\"") || byte() == UInt8(ascii: "'")
        return isQuoted ? try string() : try name("a key after '#'")
    }

    /// Reads `%@`, `%K`, or a conversion of `printf` such as `%ld`.
    private mutating func argument() throws(PredicateFormatError) -> FormatToken.Kind {
        let start = place
        place += 1
        if byte() == UInt8(ascii: "@") || byte() == UInt8(ascii: "K") {
            place += 1
            return bytes[place - 1] == UInt8(ascii: "K") ? .keyArgument : .argument
        }
        while let length = byte(), Self.lengths.contains(length) { place += 1 }
        guard let letter = byte(), Self.conversions.contains(letter) else {
            throw error(at: start, "a placeholder, such as %@, %d or %K")
        }
        place += 1
        return .argument
    }

    private static let lengths = Set("hlqLztj".utf8)
    private static let conversions = Set("dDiuUxXoOcCfFeEgGaAsSp".utf8)

    private mutating func name(_ expected: String) throws(PredicateFormatError) -> String {
        let start = place
        guard let first = byte(), Self.startsName(first) else { throw error(at: place, expected) }
        skipName()
        return text(from: start)
    }
}

extension FormatLexer {
    static func isDigit(_ byte: UInt8) -> Bool { byte >= 48 && byte <= 57 }

    static func startsName(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || (byte | 32 >= 97 && byte | 32 <= 122)
    }

    static func continuesName(_ byte: UInt8) -> Bool { startsName(byte) || isDigit(byte) }

    /// The byte at a distance from the current place; nil behind the end.
    func byte(_ distance: Int = 0) -> UInt8? {
        place + distance < bytes.count ? bytes[place + distance] : nil
    }

    func text(from start: Int) -> String { String(decoding: bytes[start..<place], as: UTF8.self) }

    mutating func skipName() {
        while let next = byte(), Self.continuesName(next) { place += 1 }
    }

    private mutating func skipSpace() {
        while let next = byte() {
            if next == 32 || (next >= 9 && next <= 13) {
                place += 1
            } else if next == 0xC2 && byte(1) == 0xA0 {  // no-break space
                place += 2
            } else {
                return
            }
        }
    }

    func error(at offset: Int, _ expected: String) -> PredicateFormatError {
        error(at: offset, expected, found: found(at: offset))
    }

    /// - Parameter reason: the message, in place of the expected and the found syntax.
    func error(
        at offset: Int, _ expected: String, found: String?, reason: String? = nil
    ) -> PredicateFormatError {
        let column = String(decoding: bytes[..<min(offset, bytes.count)], as: UTF8.self).count + 1
        return PredicateFormatError(format, column, expected, found, reason)
    }

    /// The word or character at a place, without the contents of strings.
    private func found(at offset: Int) -> String {
        guard offset < bytes.count else { return "the end" }
        switch bytes[offset] {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return "a string"
        case let byte where Self.isDigit(byte): return "a number"
        default: break
        }
        var end = offset + (bytes[offset] == UInt8(ascii: "%") ? 1 : 0)
        while end < bytes.count, Self.continuesName(bytes[end]) { end += 1 }
        if end > offset { return "'\(String(decoding: bytes[offset..<end], as: UTF8.self))'" }
        let rest = bytes[offset...]
        if let sign = FormatSign.longest(rest[offset], rest.dropFirst().first) { return "'\(sign.rawValue)'" }
        // The longest character in use has a few dozen bytes.
        return String(decoding: rest.prefix(64), as: UTF8.self).first.map { "'\($0)'" } ?? "the end"
    }
}
