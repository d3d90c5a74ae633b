public import CofferStorage

/// A type whose values clauses may contain and queries may return.
public protocol QueryableAttributeType: Hashable, SelectResultType {
    /// The Foundation type of such a value in the dictionaries of a query.
    associatedtype QueryableNativeType

    /// The type of the attribute in the model.
    static var cs_rawAttributeType: AttributeType { get }
    /// Converts the value that a query returned; nil if it is not a value of this type.
    static func cs_fromQueryableNativeType(_ value: QueryableNativeType) -> Self?
    /// Converts the value to the form in which a query returns it.
    func cs_toQueryableNativeType() -> QueryableNativeType

    /// The value in requests.
    var _queryValue: Value { get }
}

extension QueryableAttributeType {
    /// The value in conditions.
    public var _queryValue: Value { Value(native: cs_toQueryableNativeType()) }
}
