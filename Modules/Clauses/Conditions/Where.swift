public import CofferSchema
public import CofferStorageTools

/// A `where` clause: a condition on the objects of a class.
///
/// ```swift
/// From<Person>().where { $0.$age >= 18 && $0.$nickname != nil }
/// From<Dog>().where { ($0.$master ~ \.$name) == "Ann" }
/// From<Person>().where(\.$age >= 18 && \.$nickname != nil)
/// ```
///
/// A condition is a value that a program can keep and combine with `&&`, `||` and `!`. Two conditions are equal if
/// their ``predicate``s have the same structure.
///
/// Null equals only null, and is neither less nor greater than a value. A condition that the store cannot evaluate, for
/// example with an unknown name, makes the fetch throw `invalidRequest`.
public struct Where<O: DynamicObject>: WhereClauseType, FetchClause, QueryClause, DeleteClause, Hashable, Sendable {
    /// The class of the objects.
    public typealias ObjectType = O

    /// The condition without the type of its objects.
    public let predicate: QueryPredicate
    /// The maximum number of levels of the condition; a chain of operators may count as several levels.
    let depth: Int

    /// A condition that all objects fulfil.
    public init() { self.init(true) }

    /// Creates a condition that is equal to another one.
    public init(_ clause: Where<O>) { self = clause }

    /// A condition that all objects fulfil, or none: `Where<Person>(false)`.
    public init(_ value: Bool) { self.init(.constant(value)) }

    /// A condition with the given predicate.
    ///
    /// If the predicate has more than 100 levels, a request with it throws `invalidRequest`. A chain of `&&` is one
    /// level, and a chain of `||` is also one level.
    public init(_ predicate: QueryPredicate) { self.init(predicate, depth: predicate.depth()) }

    /// - Parameter depth: the maximum number of levels of the condition.
    init(_ predicate: QueryPredicate, depth: Int) {
        let depth = depth > QueryPredicate.maximumDepth ? predicate.depth() : depth
        let isTooDeep = depth > QueryPredicate.maximumDepth
        self.predicate = isTooDeep ? .invalid(QueryPredicate.tooDeep) : predicate
        self.depth = isTooDeep ? 1 : depth
    }

    /// Whether two conditions have the same structure.
    public static func == (left: Where<O>, right: Where<O>) -> Bool { left.predicate == right.predicate }

    /// Hashes the structure of the condition.
    public func hash(into hasher: inout Hasher) { hasher.combine(predicate) }

    /// Sets the condition of the request.
    ///
    /// If the request has another condition, this condition is discarded, and a warning is logged.
    public func applyToFetchRequest(_ fetchRequest: FetchRequest) {
        if let earlier = fetchRequest.predicate, earlier != predicate {
            fetchRequest.warnOverwritten(
                "condition '\(earlier)'", by: "'\(predicate)'", advice: "Combine the two with '&&' in one 'where'."
            )
        }
        fetchRequest.predicate = predicate
    }
}

extension Where: CustomStringConvertible {
    /// The condition in the notation of format strings, with the class of its objects.
    public var description: String { "Where<\(O.self)>(predicate: \(predicate))" }
}

extension Where: CustomDebugStringConvertible, CoreStoreDebugStringConvertible {
    /// The condition.
    public var coreStoreDumpString: String { DumpTree.text([("predicate", predicate)]) }
}
