public import CofferSchema
public import CofferStorageTools

/// The protocol of orders of objects of a known class.
///
/// ``OrderBy`` is the only conforming type.
public protocol OrderByClause {
    /// The class of the objects.
    associatedtype ObjectType: DynamicObject
    /// The keys of the order; the first key decides first.
    var sortDescriptors: [QuerySortDescriptor] { get }
}

extension Sequence where Iterator.Element: OrderByClause {
    /// Combines the orders; each order decides between objects that are equal in the orders before it.
    public func combined() -> OrderBy<Iterator.Element.ObjectType> { OrderBy(flatMap(\.sortDescriptors)) }
}
