import Foundation

/// Formats numbers and words for columns.
enum Text {
    /// Returns a number with separated thousands: `13,467`.
    static func number(_ value: Int) -> String {
        let digits = String(value)
        return digits.enumerated().reduce(into: "") { text, digit in
            if digit.offset > 0, (digits.count - digit.offset).isMultiple(of: 3) { text += "," }
            text.append(digit.element)
        }
    }

    /// Returns the time since an instant, in milliseconds, aligned to the right.
    static func duration(since start: ContinuousClock.Instant) -> String {
        String(format: "%9.1f ms", (ContinuousClock.now - start) / .milliseconds(1))
    }

    static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - columns(of: text)))
    }

    static func shortened(_ text: String, _ width: Int) -> String {
        columns(of: text) <= width ? text : text.prefix(width - 2) + "…"
    }

    /// Returns the number of terminal columns that a string occupies; a flag occupies two.
    private static func columns(of text: String) -> Int {
        text.reduce(0) { $0 + ($1.unicodeScalars.contains(where: \.properties.isEmojiPresentation) ? 2 : 1) }
    }
}
