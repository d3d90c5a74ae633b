public import CofferSchema
public import CofferStorage
public import CofferStorageTools

/// A clause that makes a query return one result for each group of objects with equal values.
///
/// ```swift
/// let cities = try stack.queryAttributes(
///     From<Person>().select(NSDictionary.self, .attribute(\.$city), .count(\.$name)).groupBy(\.$city)
/// )
/// ```
///
/// The other terms of the query are aggregates of each group. If a selected attribute is neither grouped nor an
/// aggregate, or a field is virtual or coded, the query throws `invalidRequest`.
public struct GroupBy<O: DynamicObject>: GroupByClause, QueryClause, Hashable, Sendable {
    /// The class of the objects.
    public typealias ObjectType = O

    /// The names of the properties.
    public let keyPaths: [KeyPathString]

    /// Creates a clause without a grouping.
    public init() { self.init([]) }

    /// Groups by properties.
    public init(_ keyPath: KeyPathString, _ keyPaths: KeyPathString...) { self.init([keyPath] + keyPaths) }

    /// Groups by a list of properties.
    public init(_ keyPaths: [KeyPathString]) { self.keyPaths = keyPaths }

    /// Sets the grouping of the request.
    ///
    /// If the request has another grouping, this grouping is discarded, and a warning is logged.
    public func applyToFetchRequest(_ fetchRequest: FetchRequest) {
        let earlier = fetchRequest.propertiesToGroupBy
        if !earlier.isEmpty, earlier != keyPaths {
            fetchRequest.warnOverwritten(
                "grouping by '\(earlier.joined(separator: ", "))'", by: "'\(keyPaths.joined(separator: ", "))'",
                advice: "Name all properties in one 'groupBy'."
            )
        }
        fetchRequest.propertiesToGroupBy = keyPaths
    }
}

extension GroupBy where O: CoreStoreObject {
    /// A grouping by a field: `GroupBy<Person>(\.$city)`.
    ///
    /// For a virtual or coded field, the query throws `invalidRequest`.
    public init<K: AttributeKeyPathStringConvertible>(_ keyPath: KeyPath<O, K>) {
        self.init(KeyPathString(keyPath: keyPath))
    }

    /// Groups by several fields: `GroupBy(\Dog.$species, \.$age)`.
    @_disfavoredOverload
    public init<F: WhereOperand, each G: WhereOperand>(_ first: KeyPath<O, F>, _ more: repeat KeyPath<O, each G>) {
        var keyPaths = [first._expression.description]
        for keyPath in repeat each more { keyPaths.append(keyPath._expression.description) }
        self.init(keyPaths)
    }

    /// Groups by the value of a path and by fields: `GroupBy(\Dog.$master ~ \.$city, \.$age)`.
    public init<V, each F: WhereOperand>(
        _ path: Where<O>.Expression<Where<O>.SingleTarget, V>, _ fields: repeat KeyPath<O, each F>
    ) {
        var keyPaths = [path.path]
        for keyPath in repeat each fields { keyPaths.append(keyPath._expression.description) }
        self.init(keyPaths)
    }
}

extension GroupBy: CustomStringConvertible, CustomDebugStringConvertible, CoreStoreDebugStringConvertible {
    /// The class and the key paths.
    public var description: String { "GroupBy<\(O.self)>(\(keyPaths.joined(separator: ", ")))" }

    /// The key paths.
    public var coreStoreDumpString: String { DumpTree.text([("keyPaths", keyPaths)]) }
}
