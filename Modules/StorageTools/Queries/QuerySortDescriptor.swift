public import CofferStorage

/// One key of an order: a value of the objects, mostly a property by its path of names, and a direction.
///
/// Null comes before every value in ascending order and after every value in descending order.
public struct QuerySortDescriptor: Hashable, Sendable {
    /// What is sorted by.
    public var expression: QueryExpression
    /// Whether lesser values come first.
    public var ascending: Bool
    /// How texts are compared.
    ///
    /// Texts that are then the same come in the order of the next key.
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

    /// The property, by its path of names; for a computed value, what computes it.
    public var key: KeyPathString { expression.description }
}

extension QuerySortDescriptor: CustomStringConvertible {
    /// The key and the direction.
    public var description: String { "\(key)\(options) \(ascending ? "ascending" : "descending")" }
}
