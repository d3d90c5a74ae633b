package import Foundation

/// Converts dates to strings for descriptions.
extension Date {
    /// Returns Foundation's description of a date, or the seconds since 2001 if it has no useful description.
    ///
    /// For dates thousands of years away, Foundation's description contains no date. For NaN, it traps.
    package static func text(ofSeconds seconds: Double) -> String {
        // The limits are doubles. As a date, NaN would not be less than any date, and therefore in every range.
        let (first, last) = (distantPast.timeIntervalSinceReferenceDate, distantFuture.timeIntervalSinceReferenceDate)
        let hasWords = seconds >= first && seconds <= last
        return hasWords ? "\(Date(timeIntervalSinceReferenceDate: seconds))" : "\(seconds) s since 2001"
    }
}
