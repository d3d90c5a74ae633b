public import CofferSchema
public import CofferStorage

/// A grouping of objects of a known class.
///
/// ``GroupBy`` is the only kind there is.
public protocol GroupByClause {
    /// The class of the objects.
    associatedtype ObjectType: DynamicObject
    /// The properties whose equal values make a group.
    var keyPaths: [KeyPathString] { get }
}
