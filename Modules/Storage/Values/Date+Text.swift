package import Foundation

/// Converts dates to strings for descriptions.
extension Date {
    /// The date in words, or where Foundation has none the seconds since 2001.
    ///
    /// Its own description says of all dates thousands of years away that there is none, and traps for NaN.
    package static func text(ofSeconds seconds: Double) -> String {
        // As doubles: as dates, NaN is not less than any, and so in every range.
        let (first, last) = (distantPast.timeIntervalSinceReferenceDate, distantFuture.timeIntervalSinceReferenceDate)
        let hasWords = seconds >= first && seconds <= last
        return hasWords ? "\(Date(timeIntervalSinceReferenceDate: seconds))" : "\(seconds) s since 2001"
    }
}
