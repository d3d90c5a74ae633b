public import CofferSchema

/// A fetch under construction: where to look, then clauses in the order they are applied.
///
/// ```swift
/// let adults = From<Person>().where(\.$age >= 18).orderBy(.ascending(\.$name))
/// try stack.fetchAll(adults)
/// ```
///
/// A chain is a value: adding a clause makes a new one.
public struct FetchChainBuilder<O: DynamicObject>: FetchChainableBuilderType {
    public typealias ObjectType = O

    public var from: From<O>
    public var fetchClauses: [any FetchClause]
}
