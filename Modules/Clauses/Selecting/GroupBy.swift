public import CofferSchema
public import CofferStorage

/// Makes a query return one result for each group of objects with equal values.
///
/// ```swift
/// From<Person>().select(NSDictionary.self, .attribute(\.$city), .count(\.$name)).groupBy(\.$city)
/// ```
///
/// Every selected attribute that is no aggregate must be among the grouped ones.
public struct GroupBy<O: DynamicObject>: GroupByClause, QueryClause, Hashable, Sendable {
    /// The class of the objects.
    public typealias ObjectType = O

    /// The names of the properties.
    public let keyPaths: [KeyPathString]

    /// No grouping.
    public init() {
        self.init([])
    }

    /// Groups by properties.
    public init(_ keyPath: KeyPathString, _ keyPaths: KeyPathString...) {
        self.init([keyPath] + keyPaths)
    }

    /// Groups by properties.
    public init(_ keyPaths: [KeyPathString]) {
        self.keyPaths = keyPaths
    }

    /// Makes this the request's grouping.
    ///
    /// An earlier, different one is dropped, with a warning.
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
    /// Groups by a field.
    public init<B, T>(_ keyPath: KeyPath<O, FieldContainer<B>.Stored<T>>) {
        self.init(KeyPathString(keyPath: keyPath))
    }

    /// Groups by a coded field, which a query refuses.
    public init<B, T>(_ keyPath: KeyPath<O, FieldContainer<B>.Coded<T>>) {
        self.init(KeyPathString(keyPath: keyPath))
    }

    /// Groups by a virtual field, which a query refuses.
    public init<B, T>(_ keyPath: KeyPath<O, FieldContainer<B>.Virtual<T>>) {
        self.init(KeyPathString(keyPath: keyPath))
    }

    /// Groups by two fields.
    public init<A, B, T, U>(
        _ first: KeyPath<O, FieldContainer<A>.Stored<T>>, _ second: KeyPath<O, FieldContainer<B>.Stored<U>>
    ) {
        self.init(KeyPathString(keyPath: first), KeyPathString(keyPath: second))
    }

    /// Groups by what a path leads to: `GroupBy(\Dog.$master ~ \.$city)`.
    public init<V>(_ path: Where<O>.Expression<Where<O>.SingleTarget, V>) {
        self.init(path.path)
    }
}
