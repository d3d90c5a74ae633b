public import CofferSchema
public import CofferStorage

/// A condition on objects.
///
/// ```swift
/// From<Person>().where(\.$age >= 18 && \.$name != nil)
/// From<Person>().where((\.$master ~ \.$name) == "Ann")
/// ```
///
/// Two conditions are equal when their ``predicate``s have the same structure.
public struct Where<O: DynamicObject>: WhereClauseType, FetchClause, QueryClause, DeleteClause, Hashable, Sendable {
    /// The class of the objects.
    public typealias ObjectType = O

    /// The condition without the type of its objects.
    public let predicate: QueryPredicate

    /// Matches every object.
    public init() {
        self.init(true)
    }

    /// The same condition.
    public init(_ clause: Where<O>) {
        self.init(clause.predicate)
    }

    /// Matches every object, or none.
    public init(_ value: Bool) {
        self.init(.constant(value))
    }

    /// Matches what a predicate does.
    public init(_ predicate: QueryPredicate) {
        self.predicate = predicate
    }

    /// Makes this the request's condition.
    ///
    /// An earlier, different one is dropped, with a warning.
    public func applyToFetchRequest(_ fetchRequest: FetchRequest) {
        if let earlier = fetchRequest.predicate, earlier != predicate {
            fetchRequest.warnOverwritten(
                "condition '\(earlier)'", by: "'\(predicate)'", advice: "Combine the two with '&&' in one 'where'."
            )
        }
        fetchRequest.predicate = predicate
    }
}
