public import CofferSchema
import CofferStorage
public import CofferStorageTools

/// An order of objects of a known class.
///
/// ``OrderBy`` is the only kind there is.
public protocol OrderByClause {
    /// The class of the objects.
    associatedtype ObjectType: DynamicObject
    /// The keys of the order, the first one deciding first.
    var sortDescriptors: [QuerySortDescriptor] { get }
}

extension Sequence where Iterator.Element: OrderByClause {
    /// The orders one after the other: each decides where those before it leave objects equal.
    public func combined() -> OrderBy<Iterator.Element.ObjectType> {
        OrderBy(flatMap(\.sortDescriptors))
    }
}
