/// One key of an order: a property, by its path of names, and a direction.
///
/// Null comes before every value in ascending order and after every value in descending order.
public struct QuerySortDescriptor: Hashable, Sendable {
    public var key: KeyPathString
    public var ascending: Bool

    public init(key: KeyPathString, ascending: Bool) {
        self.key = key
        self.ascending = ascending
    }
}

extension QuerySortDescriptor: CustomStringConvertible {
    public var description: String { "\(key) \(ascending ? "ascending" : "descending")" }
}
