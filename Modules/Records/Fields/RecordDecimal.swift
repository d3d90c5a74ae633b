import Foundation

/// Parses decimals in files, and refuses numbers with more digits than a decimal can hold.
enum RecordDecimal {
    /// Returns the decimal of a string; nil for any other string, or if a decimal cannot hold all of its digits.
    ///
    /// Foundation reads as much of a string as it can, and ignores the rest.
    static func decimal(_ text: String) -> Decimal? {
        guard let number = NumberText(text),
            let decimal = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")), !decimal.isNaN,
            let kept = NumberText("\(decimal)"), kept.isEqual(to: number)
        else { return nil }
        return decimal
    }
}
