/// The way the tables of a store are laid out.
///
/// A store keeps the number of its format. A release opens stores of its own format; those of older ones it takes to its
/// own first, one format after the other, and those of later ones it refuses. A change of the tables that an older release
/// would read or write wrongly is a new case here, for which each database says by
/// ``SQLDefinition/upgrade(to:)`` what is to be done.
public enum SQLFormat: Int, CaseIterable, Sendable {
    /// Dates are integers: microseconds since 2001.
    case integerDates = 1
    /// Dates are doubles: seconds since 2001.
    case doubleDates

    /// The format of new stores.
    public static let current = allCases[allCases.count - 1]

    /// The formats after this one, in order.
    public var later: ArraySlice<SQLFormat> { Self.allCases.drop { $0.rawValue <= rawValue } }
}
