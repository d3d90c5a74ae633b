import Foundation

/// Dates in files: a text of ISO 8601, or the seconds since 1 January 2001, 00:00 UTC.
enum RecordDate {
    private static let whole = Date.ISO8601FormatStyle()
    private static let fractional = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    private static let day = Date.ISO8601FormatStyle().year().month().day()

    /// The date that a text gives; nil for any other text.
    static func date(_ text: String) -> Date? {
        if let seconds = Double(text) { return seconds.isNaN ? nil : Date(timeIntervalSinceReferenceDate: seconds) }
        return (try? whole.parse(text)) ?? (try? fractional.parse(text))
            ?? (text.utf8.count == 10 ? try? day.parse(text) : nil)
    }

    /// The text of ISO 8601 that gives exactly some seconds again; nil where there is none.
    static func text(_ seconds: Double) -> String? {
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        // Years of four digits.
        guard seconds > -63_000_000_000, seconds < 250_000_000_000 else { return nil }
        return [whole, fractional].lazy.map { $0.format(date) }.first { Self.date($0) == date }
    }

    /// Reads a date of JSON.
    @Sendable static func decode(_ decoder: any Decoder) throws -> Date {
        let container = try decoder.singleValueContainer()
        guard let text = try? container.decode(String.self) else {
            return Date(timeIntervalSinceReferenceDate: try container.decode(Double.self))
        }
        if let date = date(text) { return date }
        throw DecodingError.dataCorruptedError(
            in: container, debugDescription: "Expected a date: a text of ISO 8601, or seconds since 2001.")
    }
}

/// Decimals in files.
enum RecordDecimal {
    /// The decimal that a whole text gives; nil for any other text.
    ///
    /// Foundation reads as much of a text as it can, and ignores the rest.
    static func decimal(_ text: String) -> Decimal? {
        guard text.wholeMatch(of: /[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?/) != nil else { return nil }
        return Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
    }
}
