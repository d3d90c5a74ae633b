import CofferStorage
import CofferStorageTools

// MARK: Queries

/// A query for values: the fetch, the selected terms, the groups and the condition on groups.
struct ObjectQuery {
    var fetch: ObjectFetch
    var aliases: [String]
    var terms: [Term]
    var groups: [KeyPathString]
    var having: QueryPredicate?
    var isDistinct: Bool

    /// A term before its names are looked up.
    enum Term {
        case value(QueryExpression)
        case aggregate(ValueRequest.Aggregate, QueryExpression)
        case identity
    }
}

extension ObjectQuery {
    var hasAggregates: Bool { terms.contains { if case .aggregate = $0 { true } else { false } } }

    /// Whether the order is by something that a group has one of.
    func holds(_ descriptor: QuerySortDescriptor) -> Bool {
        if case .keyPath(let name) = descriptor.expression { groups.contains(name) } else { false }
    }

    /// The aggregate whose alias the order names.
    func aggregate(of descriptor: QuerySortDescriptor) -> Term? {
        guard case .keyPath(let name) = descriptor.expression, let place = aliases.firstIndex(of: name),
            case .aggregate = terms[place]
        else { return nil }
        return terms[place]
    }

    /// The column that decides the order of the groups.
    func deciding(_ descriptor: QuerySortDescriptor) -> Term {
        if holds(descriptor) { return .value(descriptor.expression) }
        return aggregate(of: descriptor)
            ?? .aggregate(descriptor.ascending ? .minimum : .maximum, descriptor.expression)
    }
}
