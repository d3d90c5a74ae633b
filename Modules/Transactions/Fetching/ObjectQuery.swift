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

    /// A term whose names are not resolved yet.
    enum Term {
        case value(QueryExpression)
        case aggregate(ValueRequest.Aggregate, QueryExpression)
        case identity
    }
}

extension ObjectQuery {
    var hasAggregates: Bool { terms.contains { if case .aggregate = $0 { true } else { false } } }

    /// Whether an order uses a grouped key path, which has one value in each group.
    func holds(_ descriptor: QuerySortDescriptor) -> Bool {
        if case .keyPath(let name) = descriptor.expression { groups.contains(name) } else { false }
    }

    /// Returns the aggregate whose alias an order uses; nil if it uses none.
    func aggregate(of descriptor: QuerySortDescriptor) -> Term? {
        guard case .keyPath(let name) = descriptor.expression, let place = aliases.firstIndex(of: name),
            case .aggregate = terms[place]
        else { return nil }
        return terms[place]
    }

    /// Returns the term that determines the order of the groups.
    func deciding(_ descriptor: QuerySortDescriptor) -> Term {
        if holds(descriptor) { return .value(descriptor.expression) }
        return aggregate(of: descriptor)
            ?? .aggregate(descriptor.ascending ? .minimum : .maximum, descriptor.expression)
    }
}
