public import CofferSchema
import CofferStorage
public import CofferStorageTools

/// The order of a fetch's objects.
///
/// ```swift
/// From<Person>().orderBy(.ascending(\.$name), .descending(\.$age))
/// ```
///
/// Text is ordered by its bytes. Null comes first in ascending and last in descending order.
public struct OrderBy<O: DynamicObject>: OrderByClause, FetchClause, QueryClause, DeleteClause, Hashable, Sendable {
    /// The class of the objects.
    public typealias ObjectType = O

    /// The keys, the first one deciding first.
    public let sortDescriptors: [QuerySortDescriptor]

    /// No order.
    public init() {
        self.init([QuerySortDescriptor]())
    }

    /// The order of one key.
    public init(_ sortDescriptor: QuerySortDescriptor) {
        self.init([sortDescriptor])
    }

    /// The order of some keys, the first one deciding first.
    public init(_ sortDescriptors: [QuerySortDescriptor]) {
        self.sortDescriptors = sortDescriptors
    }

    /// The order of some keys, the first one deciding first.
    public init(_ sortKeys: [SortKey]) {
        self.init(sortKeys.map(\.sortDescriptor))
    }

    /// The order of some keys, the first one deciding first.
    public init(_ sortKey: SortKey, _ sortKeys: SortKey...) {
        self.init([sortKey] + sortKeys)
    }

    /// The left order, and where that leaves objects equal, the right one.
    public static func + (left: OrderBy, right: OrderBy) -> OrderBy {
        OrderBy(left.sortDescriptors + right.sortDescriptors)
    }

    /// Adds an order, which decides where this one leaves objects equal.
    public static func += (left: inout OrderBy, right: OrderBy) {
        left = left + right
    }

    /// Makes this the request's order.
    ///
    /// An earlier, different one is dropped, with a warning.
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
    public var coreStoreDumpString: String {
        DumpTree.text([("sortDescriptors", sortDescriptors)])
    }
}
