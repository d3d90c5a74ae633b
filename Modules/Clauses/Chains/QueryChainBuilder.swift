public import CofferSchema

/// A query under construction: where to look, what to return, then clauses in the order they are applied.
///
/// ```swift
/// let oldest = From<Person>().select(Int.self, .maximum(\.$age)).where(\.$name != nil)
/// try stack.queryValue(oldest)
/// ```
///
/// A chain is a value: adding a clause makes a new one.
public struct QueryChainBuilder<O: DynamicObject, R: SelectResultType>: QueryChainableBuilderType {
    public typealias ObjectType = O
    public typealias ResultType = R

    public var from: From<O>
    public var select: Select<O, R>
    public var queryClauses: [any QueryClause]
}
