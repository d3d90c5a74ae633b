public import CofferStorage

/// A sort descriptor for objects: a direction and a value, usually a property by its path of names.
///
/// Null comes before every value in ascending order and after every value in descending order.
public struct QuerySortDescriptor: Hashable, Sendable {
    /// The value to sort by.
    public var expression: QueryExpression
    /// Whether smaller values come first.
    public var ascending: Bool
    /// The options for the comparison of strings.
    ///
    /// If two strings are equal with these options, the next key decides.
    public var options: TextOptions

    /// An order by one property.
    public init(key: KeyPathString, ascending: Bool, options: TextOptions = []) {
        self.init(.keyPath(key), ascending: ascending, options: options)
    }

    /// An order by one value.
    public init(_ expression: QueryExpression, ascending: Bool, options: TextOptions = []) {
        self.expression = expression
        self.ascending = ascending
        self.options = options
    }

    /// The property, by its path of names; for a computed value, its expression.
    public var key: KeyPathString { expression.description }
}

extension QuerySortDescriptor: CustomStringConvertible {
    /// The key and the direction.
    public var description: String { "\(key)\(options) \(ascending ? "ascending" : "descending")" }
}
