import CofferSchema
import CofferStorage
import Foundation

/// Orders of grouped queries by what the groups do not hold: an aggregate by its alias, or a property of the rows.
extension ObjectGraph {
    /// The query with aliases in its order replaced by what they stand for.
    ///
    /// A query of one result has no order, and its names are still checked.
    func settlingOrder(_ query: Query) throws(StorageError) -> Query {
        var query = query
        for (index, descriptor) in query.fetch.order.enumerated() {
            guard case .keyPath(let name) = descriptor.expression, let place = query.aliases.firstIndex(of: name),
                case .value(let expression) = query.terms[place]
            else { continue }
            query.fetch.order[index].expression = expression
        }
        if query.groups.isEmpty, query.hasAggregates, let store = query.fetch.stores.first {
            _ = try store.resolver.resolve(
                query.fetch.order.filter { query.aggregate(of: $0) == nil }, entity: query.fetch.entity)
            query.fetch.order = []
        }
        return query
    }

    /// The values in an order that the groups do not hold; nil when the stores can put them in order.
    ///
    /// The stores return what decides the order as further columns. Of a property that is neither grouped by nor
    /// aggregated, that is the group's least value in ascending order, and its greatest one in descending order.
    func valuesInOrder(_ query: Query) throws(StorageError) -> [[Value]]? {
        guard !query.groups.isEmpty, !query.isDistinct, query.fetch.order.contains(where: { !query.holds($0) }) else {
            return nil
        }
        var wider = query
        wider.fetch.order = []
        wider.fetch.offset = 0
        wider.fetch.limit = nil
        for descriptor in query.fetch.order {
            wider.aliases.append("")
            wider.terms.append(query.deciding(descriptor))
        }
        let count = query.terms.count
        var rows = Array(try storedValues(wider).enumerated())
        let order = query.fetch.order
        rows.sort { left, right in
            for (index, descriptor) in order.enumerated() {
                let (a, b) = (left.element[count + index], right.element[count + index])
                let result = ValueOrdering.sortOrder(a.folded(descriptor.options), b.folded(descriptor.options))
                if result != .orderedSame { return (result == .orderedAscending) == descriptor.ascending }
            }
            return left.offset < right.offset
        }
        return rows.window(offset: query.fetch.offset, limit: query.fetch.limit).map { Array($0.element[..<count]) }
    }
}

extension ObjectGraph.Query {
    var hasAggregates: Bool { terms.contains { if case .aggregate = $0 { true } else { false } } }

    /// Whether the order is by something that a group has one of.
    fileprivate func holds(_ descriptor: QuerySortDescriptor) -> Bool {
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
    fileprivate func deciding(_ descriptor: QuerySortDescriptor) -> Term {
        if holds(descriptor) { return .value(descriptor.expression) }
        return aggregate(of: descriptor)
            ?? .aggregate(descriptor.ascending ? .minimum : .maximum, descriptor.expression)
    }
}

extension Value {
    /// A text without what the options say does not matter to an order.
    fileprivate func folded(_ options: TextOptions) -> Value {
        guard case .text(let text) = self, TextFolding.applies(options) else { return self }
        return .text(String(decoding: TextFolding.fold(text, options), as: UTF8.self))
    }
}
