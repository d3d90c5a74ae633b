public import CofferSchema
public import CofferStorageTools

/// An `orderBy` clause: the order of the objects that a fetch finds; `+` combines two orders.
///
/// ```swift
/// let people = try stack.fetchAll(From<Person>().orderBy(.ascending(\.$name), .descending(\.$age)))
/// ```
///
/// The first sort key decides first. Ties are broken by the key of the row, ascending. Strings are ordered by their
/// bytes, unless a sort key has options. Null comes first in ascending order, and last in descending order.
///
/// A sort key with an unknown name, or of a virtual or coded field, makes the fetch throw `invalidRequest`.
public struct OrderBy<O: DynamicObject>: OrderByClause, FetchClause, QueryClause, DeleteClause, Hashable, Sendable {
    /// The class of the objects.
    public typealias ObjectType = O

    /// The keys; the first key decides first.
    public let sortDescriptors: [QuerySortDescriptor]

    /// A clause without an order.
    public init() { self.init([QuerySortDescriptor]()) }

    /// An order by one key.
    public init(_ sortDescriptor: QuerySortDescriptor) { self.init([sortDescriptor]) }

    /// An order by some keys; the first key decides first.
    public init(_ sortDescriptors: [QuerySortDescriptor]) { self.sortDescriptors = sortDescriptors }

    /// An order by a list of sort keys; the first key decides first.
    public init(_ sortKeys: [SortKey]) { self.init(sortKeys.map(\.sortDescriptor)) }

    /// An order by one or several sort keys: `OrderBy<Person>(.ascending(\.$name), .descending(\.$age))`.
    public init(_ sortKey: SortKey, _ sortKeys: SortKey...) { self.init([sortKey] + sortKeys) }

    /// The left order; the right order decides between objects that are equal in the left one.
    public static func + (left: OrderBy, right: OrderBy) -> OrderBy {
        OrderBy(left.sortDescriptors + right.sortDescriptors)
    }

    /// Adds an order that decides between objects that are equal in this one.
    public static func += (left: inout OrderBy, right: OrderBy) { left = left + right }

    /// Sets the order of the request.
    ///
    /// If the request has another order, this order is discarded, and a warning is logged.
    public func applyToFetchRequest(_ fetchRequest: FetchRequest) {
        let earlier = fetchRequest.sortDescriptors
        if !earlier.isEmpty, earlier != sortDescriptors {
            fetchRequest.warnOverwritten(
                "order '\(earlier.listed)'", by: "'\(sortDescriptors.listed)'",
                advice: "Combine the two with '+' in one 'orderBy'."
            )
        }
        fetchRequest.sortDescriptors = sortDescriptors
    }
}

extension [QuerySortDescriptor] {
    fileprivate var listed: String { map(\.description).joined(separator: ", ") }
}

extension OrderBy: CustomStringConvertible, CustomDebugStringConvertible, CoreStoreDebugStringConvertible {
    /// The class and the keys of the order.
    public var description: String { "OrderBy<\(O.self)>(\(sortDescriptors.listed))" }

    /// The keys of the order.
    public var coreStoreDumpString: String { DumpTree.text([("sortDescriptors", sortDescriptors)]) }
}
