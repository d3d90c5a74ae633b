public import CofferStorage

/// The table of the links of one many-to-many relationship.
///
/// Which side is kept in which column depends on the names of the sides, not on their order in the model.
public struct SQLLinkTable: Sendable {
    static let prefix = "coffer_link_"

    /// The name, unquoted.
    public let name: String
    /// The column with the key of the layout's first side.
    public let first: String
    /// The column with the key of the layout's second side.
    public let second: String
    /// The column with the place of the second side's object among those of the first, where these are ordered.
    public let firstPosition: String?
    /// The column with the place of the first side's object among those of the second, where these are ordered.
    public let secondPosition: String?
    /// Whether the relationship is its own inverse: a link leads both ways, and is kept once.
    public let isSymmetric: Bool
}

extension SQLLinkTable {
    /// Whether the objects of one of the sides have places.
    public var isOrdered: Bool { firstPosition != nil || secondPosition != nil }

    /// The columns in which a link is read and written: first, second, then the positions of the ordered sides.
    public var columnNames: [String] { [first, second] + [firstPosition, secondPosition].compactMap(\.self) }

    /// A link as it was read.
    ///
    /// - Parameters:
    ///   - table: the index of the table.
    ///   - value: a number by its column in ``columnNames``; nil for null.
    public func link(_ table: Int, _ value: (Int) -> Int64?) -> ChangeSet.Link {
        ChangeSet.Link(
            table: table, first: value(0) ?? 0, second: value(1) ?? 0,
            firstPosition: firstPosition.flatMap { _ in value(2) },
            secondPosition: secondPosition.flatMap { _ in value(firstPosition == nil ? 2 : 3) })
    }
}
