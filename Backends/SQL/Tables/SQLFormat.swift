/// The versions of the table format of a store, and the current version.
///
/// A store contains the number of its format. A release opens stores of its own format, upgrades stores of an older
/// format step by step, and refuses stores of a later format. If an older release would read or write changed tables
/// wrongly, the change needs a new case here. ``SQLDefinition/upgrade(to:)`` of each database returns the statements
/// for this case.
public enum SQLFormat: Int, CaseIterable, Sendable {
    /// Dates are integers, in microseconds since 2001.
    case integerDates = 1
    /// Dates are doubles, in seconds since 2001.
    case doubleDates

    /// The format of new stores.
    public static let current = allCases[allCases.count - 1]

    /// The later formats, in order.
    public var later: ArraySlice<SQLFormat> { Self.allCases.drop { $0.rawValue <= rawValue } }
}
