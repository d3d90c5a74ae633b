import Foundation

/// Parses and prints dates in files: ISO 8601 strings, or seconds since 1 January 2001, 00:00 UTC.
enum RecordDate {
    private static let whole = Date.ISO8601FormatStyle()
    private static let fractional = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    /// Returns the date of a string; nil for any other string.
    ///
    /// The string is a day, a day and a time with an offset from UTC, or seconds with a sign, a fraction or an
    /// exponent. Digits alone may be a year or a day without hyphens, so they are not a date.
    static func date(_ text: String) -> Date? {
        if let number = NumberText(text) {
            guard number.isMarked, let seconds = Double(text), seconds.isFinite else { return nil }
            return Date(timeIntervalSinceReferenceDate: seconds)
        }
        if let infinite = infinity(text) { return Date(timeIntervalSinceReferenceDate: infinite) }
        // Foundation ignores characters after the offset, and reads the 31st of February as a day in March.
        var scanner = DateScanner(text)
        guard scanner.isDate() else { return nil }
        // For days before 1582, Foundation's format without a time uses the Julian calendar.
        let text = scanner.isDay ? "\(text)T00:00:00Z" : text
        return (try? whole.parse(text)) ?? (try? fractional.parse(text))
    }

    /// Returns the ISO 8601 string that is parsed to exactly these seconds; nil if there is none.
    static func text(_ seconds: Double) -> String? {
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        // The year must have four digits.
        guard seconds > -63_000_000_000, seconds < 250_000_000_000 else { return nil }
        return [whole, fractional].lazy.map { $0.format(date) }.first { Self.date($0) == date }
    }

    /// Reads a date of JSON.
    @Sendable static func decode(_ decoder: any Decoder) throws -> Date {
        let container = try decoder.singleValueContainer()
        let text: String
        do {
            text = try container.decode(String.self)
        } catch DecodingError.typeMismatch {
            return Date(timeIntervalSinceReferenceDate: try container.decode(Double.self))
        }
        if let date = date(text) { return date }
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "Expected a date: \(form).")
    }

    /// The form of a date, for messages.
    static let form = "ISO 8601, such as 2024-01-31 or 2024-01-31T10:00:00Z, or seconds since 2001"

    /// Returns the infinite number of a string; nil for any other string.
    static func infinity(_ text: String) -> Double? {
        switch text {
        case "inf": .infinity
        case "-inf": -.infinity
        default: nil
        }
    }
}

/// Checks the parts of an ISO 8601 string.
private struct DateScanner {
    private var rest: ArraySlice<UInt8>
    /// Whether the string has no time.
    private(set) var isDay = false

    init(_ text: String) { rest = Array(text.utf8)[...] }

    /// Whether the string is a date: `2024-01-31`, or with a time such as `T10:00:00Z` or `T10:00:00.5+01:00`.
    mutating func isDate() -> Bool {
        guard let year = number(4), take("-"), let month = number(2), take("-"), let day = number(2),
            (1...12).contains(month), day >= 1, day <= Self.dayCount(month, year)
        else { return false }
        isDay = rest.isEmpty
        if isDay { return true }
        guard take("T"), isNumber(below: 24), take(":"), isNumber(below: 60), take(":"), isNumber(below: 60) else {
            return false
        }
        if take(".") {
            let digits = rest.prefix { Self.digits.contains($0) }.count
            guard digits > 0 else { return false }
            rest = rest.dropFirst(digits)
        }
        return isOffset() && rest.isEmpty
    }

    private mutating func isOffset() -> Bool {
        if take("Z") { return true }
        guard take("+") || take("-"), isNumber(below: 24) else { return false }
        if rest.isEmpty { return true }
        _ = take(":")
        return isNumber(below: 60)
    }

    private mutating func isNumber(below end: Int) -> Bool { number(2).map { $0 < end } ?? false }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func number(_ count: Int) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy({ Self.digits.contains($0) }) else { return nil }
        rest = rest.dropFirst(count)
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

    private static func dayCount(_ month: Int, _ year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
