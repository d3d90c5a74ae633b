public import CofferStorageTools

/// A part of a fetch: a condition, an order, a tweak.
public protocol FetchClause {
    /// Adds the clause to a request.
    func applyToFetchRequest(_ fetchRequest: FetchRequest)
}

/// A part of a query.
public protocol QueryClause: FetchClause {}

/// A part of a `deleteAll`.
public protocol DeleteClause: FetchClause {}

/// A condition on objects of any class.
public protocol AnyWhereClause: QueryClause, DeleteClause {
    /// The condition itself.
    var predicate: QueryPredicate { get }

    /// Creates a condition with a predicate.
    init(_ predicate: QueryPredicate)
}
