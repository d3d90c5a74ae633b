public import CofferStorage

/// The link table of one many-to-many relationship, with its columns.
///
/// The names of the two sides determine their columns. The order of the sides in the model has no effect.
public struct SQLLinkTable: Sendable {
    static let prefix = "coffer_link_"

    /// The name, unquoted.
    public let name: String
    /// The column with the key of the layout's first side.
    public let first: String
    /// The column with the key of the layout's second side.
    public let second: String
    /// The column with the place of the second object in the list of the first object; nil if this list is not ordered.
    public let firstPosition: String?
    /// The column with the place of the first object in the list of the second object; nil if this list is not ordered.
    public let secondPosition: String?
    /// Whether the relationship is its own inverse; the table then contains each link once, for both directions.
    public let isSymmetric: Bool
}

extension SQLLinkTable {
    /// Whether one of the sides has places.
    public var isOrdered: Bool { firstPosition != nil || secondPosition != nil }

    /// The columns in which a link is read and written: first, second, then the places of the ordered sides.
    public var columnNames: [String] { [first, second] + [firstPosition, secondPosition].compactMap(\.self) }

    /// Returns a link from a row of the table.
    ///
    /// - Parameters:
    ///   - table: the index of the table.
    ///   - value: returns the number in a column of ``columnNames``; nil for null.
    public func link(_ table: Int, _ value: (Int) -> Int64?) -> ChangeSet.Link {
        ChangeSet.Link(
            table: table, first: value(0) ?? 0, second: value(1) ?? 0,
            firstPosition: firstPosition.flatMap { _ in value(2) },
            secondPosition: secondPosition.flatMap { _ in value(firstPosition == nil ? 2 : 3) })
    }
}
