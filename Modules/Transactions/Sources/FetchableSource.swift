public import CofferSchema

/// A source of objects: a data stack, a transaction or a background read.
///
/// ```swift
/// func adults(in source: some FetchableSource) throws -> [Person] {
///     try source.fetchAll(From<Person>().where { $0.$age >= 18 })
/// }
/// ```
///
/// The fetched objects belong to the source. A fetch without a match returns nil or an empty array, and is no error. A
/// fetch that cannot be carried out throws ``CoreStoreError``.
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
/// Queries read the saved values, and not the pending changes of a transaction. A query that cannot be carried out
/// throws ``CoreStoreError``.
public protocol QueryableSource: AnyObject {
    /// The live objects of the source.
    var _graph: ObjectGraph { get }
}

extension FetchableSource {
    /// The context the source's objects live in.
    public func unsafeContext() -> ObjectContext { _graph.context }
}

extension QueryableSource {
    /// The context the source's objects live in.
    public func unsafeContext() -> ObjectContext { _graph.context }
}

extension FetchableSource where Self: QueryableSource {
    /// The context the source's objects live in.
    public func unsafeContext() -> ObjectContext { _graph.context }
}
