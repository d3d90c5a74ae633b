public import CofferSchema

/// A source of objects: a data stack, a transaction or a background read.
///
/// ```swift
/// func adults(in source: some FetchableSource) throws -> [Person] {
///     try source.fetchAll(From<Person>().where { $0.$age >= 18 })
/// }
/// ```
///
/// The fetched objects belong to the source. If no object matches, a fetch returns nil or an empty array, and throws no
/// error. If a fetch cannot be carried out, it throws ``CoreStoreError``.
public protocol FetchableSource: AnyObject {
    /// The live objects of the source.
    var _graph: ObjectGraph { get }
}

/// A source of computed values: a data stack, a transaction or a background read.
///
/// ```swift
/// func highestAge(in source: some QueryableSource) throws -> Int? {
///     try source.queryValue(From<Person>().select(Int.self, .maximum(\.$age)))
/// }
/// ```
///
/// Queries read the saved values, and not the pending changes of a transaction. If a query cannot be carried out, it
/// throws ``CoreStoreError``.
public protocol QueryableSource: AnyObject {
    /// The live objects of the source.
    var _graph: ObjectGraph { get }
}

extension FetchableSource {
    /// Returns the context of the source's objects.
    public func unsafeContext() -> ObjectContext { _graph.context }
}

extension QueryableSource {
    /// Returns the context of the source's objects.
    public func unsafeContext() -> ObjectContext { _graph.context }
}

extension FetchableSource where Self: QueryableSource {
    /// Returns the context of the source's objects.
    public func unsafeContext() -> ObjectContext { _graph.context }
}
