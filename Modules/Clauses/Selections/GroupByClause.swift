public import CofferSchema
public import CofferStorage

/// The protocol of groupings of objects of a known class.
///
/// ``GroupBy`` is the only conforming type.
public protocol GroupByClause {
    /// The class of the objects.
    associatedtype ObjectType: DynamicObject
    /// The properties; objects with equal values of these properties form a group.
    var keyPaths: [KeyPathString] { get }
}
