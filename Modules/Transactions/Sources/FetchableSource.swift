public import CofferSchema

/// Something that objects can be fetched from: a data stack, a transaction, a background read.
///
/// See ``fetchAll(_:_:)-(_,FetchClause...)`` and its siblings. No match is never an error.
public protocol FetchableSource: AnyObject {
    /// The live objects of the source.
    var _graph: ObjectGraph { get }
}

/// Something that values can be queried from.
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
