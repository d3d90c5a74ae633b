public import CofferSchema

/// A query under construction: where to look, what to return, then clauses in the order they are applied.
///
/// ```swift
/// let oldest = From<Person>().select(Int.self, .maximum(\.$age)).where { $0.$name != nil }
/// try stack.queryValue(oldest)
/// ```
///
/// A chain is a value: adding a clause makes a new one.
public struct QueryChainBuilder<O: DynamicObject, R: SelectResultType>: QueryChainableBuilderType {
    /// The class of the objects.
    public typealias ObjectType = O
    /// The type of the results.
    public typealias ResultType = R

    /// Where to look.
    public var from: From<O>
    /// What to return.
    public var select: Select<O, R>
    /// The clauses, in the order they are applied.
    public var queryClauses: [any QueryClause]
}
