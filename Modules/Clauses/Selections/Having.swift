public import CofferSchema
public import CofferStorageTools

/// A condition on the groups of a query.
///
/// ```swift
/// From<Person>().select(NSDictionary.self, .attribute(\.$city), .count(\.$name))
///     .groupBy(\.$city)
///     .having(.count(\.$name) > 10 && .average(\.$age) < 40)
/// ```
///
/// The condition compares terms with constants. Attributes must be grouped. Aggregates need not be selected, except
/// aggregates of computed values. Otherwise the query throws `invalidRequest`.
public struct Having<O: DynamicObject>: QueryClause, Hashable, Sendable {
    /// The class of the objects.
    public typealias ObjectType = O

    /// The condition, which names each term by its key in a dictionary.
    public let predicate: QueryPredicate

    /// Keeps the groups that fulfil a predicate.
    public init(_ predicate: QueryPredicate) { self.predicate = predicate }

    /// Both conditions must be fulfilled.
    public static func && (left: Having, right: Having) -> Having {
        Having(.and([left.predicate, right.predicate]))
    }

    /// At least one of two conditions must be fulfilled.
    public static func || (left: Having, right: Having) -> Having {
        Having(.or([left.predicate, right.predicate]))
    }

    /// The condition must not be fulfilled.
    public static prefix func ! (clause: Having) -> Having { Having(.not(clause.predicate)) }

    /// Sets the condition on the groups of the request.
    ///
    /// If the request has another condition on groups, this condition is discarded, and a warning is logged.
    public func applyToFetchRequest(_ fetchRequest: FetchRequest) {
        if let earlier = fetchRequest.havingPredicate, earlier != predicate {
            fetchRequest.warnOverwritten(
                "condition '\(earlier)' on groups", by: "'\(predicate)'",
                advice: "Combine the two with '&&' in one 'having'."
            )
        }
        fetchRequest.havingPredicate = predicate
    }
}

extension Having: CustomStringConvertible, CustomDebugStringConvertible, CoreStoreDebugStringConvertible {
    /// The class and the condition on groups.
    public var description: String { "Having<\(O.self)>(\(predicate))" }

    /// The condition on groups.
    public var coreStoreDumpString: String { DumpTree.text([("predicate", predicate)]) }
}
