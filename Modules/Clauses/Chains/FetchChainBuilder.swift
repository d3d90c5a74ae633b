public import CofferSchema

/// A fetch under construction: where to look, then clauses in the order they are applied.
///
/// ```swift
/// let adults = From<Person>().where { $0.$age >= 18 }.orderBy(.ascending(\.$name))
/// try stack.fetchAll(adults)
/// ```
///
/// A chain is a value: adding a clause makes a new one.
public struct FetchChainBuilder<O: DynamicObject>: FetchChainableBuilderType {
    /// The class of the objects.
    public typealias ObjectType = O

    /// Where to look.
    public var from: From<O>
    /// The clauses, in the order they are applied.
    public var fetchClauses: [any FetchClause]
}
