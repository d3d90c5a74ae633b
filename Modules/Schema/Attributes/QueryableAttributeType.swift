public import CofferStorage

/// A type whose values may stand in clauses and come out of queries.
public protocol QueryableAttributeType: Hashable, SelectResultType {
    /// The Foundation type that a query's dictionary holds for such a value.
    associatedtype QueryableNativeType

    /// The type in the model.
    static var cs_rawAttributeType: AttributeType { get }
    /// The value a query returned; nil when it is none of this type.
    static func cs_fromQueryableNativeType(_ value: QueryableNativeType) -> Self?
    /// The value as a query returns it.
    func cs_toQueryableNativeType() -> QueryableNativeType

    /// The value as requests carry it.
    var _queryValue: Value { get }
}

extension QueryableAttributeType {
    /// The value that a condition compares with.
    public var _queryValue: Value { Value(native: cs_toQueryableNativeType()) }
}
