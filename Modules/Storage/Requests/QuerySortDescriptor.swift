/// One key of an order: a property, by its path of names, and a direction.
///
/// Null comes before every value in ascending order and after every value in descending order.
public struct QuerySortDescriptor: Hashable, Sendable {
    /// The property, by its path of names.
    public var key: KeyPathString
    /// Whether lesser values come first.
    public var ascending: Bool

    /// An order by one property.
    public init(key: KeyPathString, ascending: Bool) {
        self.key = key
        self.ascending = ascending
    }
}

extension QuerySortDescriptor: CustomStringConvertible {
    /// The key and the direction.
    public var description: String { "\(key) \(ascending ? "ascending" : "descending")" }
}
