import CofferSchema
import CofferStorage
import Foundation

/// Queries over several stores.
extension ObjectGraph {
    /// The values of a query over several stores.
    func combinedValues(_ query: Query) throws(StorageError) -> [[Value]] {
        let isPlain = query.groups.isEmpty && query.having == nil && query.terms.allSatisfy(\.isPlain)
        return try isPlain ? listedValues(query) : groupedValues(query)
    }

    /// A value or more of each row: each store answers for itself, and the answers are put in order together.
    private func listedValues(_ query: Query) throws(StorageError) -> [[Value]] {
        var found: [(values: [Value], keys: [Value])] = []
        for store in query.fetch.stores {
            var request = try valueRequest(query, store)
            request.rows.order = []
            request.rows.offset = 0
            request.rows.limit = nil
            request.isDistinct = false
            let count = request.terms.count
            for sort in try store.resolver.resolve(query.fetch.order, entity: query.fetch.entity) {
                request.terms.append(.expression(sort.expression))
            }
            request.terms.append(.expression(.key))
            let values = try read(store, "query") { reader throws(StorageError) in try reader.values(request) }
            for row in values {
                found.append((Array(row[..<count]), Array(row[count...])))
            }
            let own = found.indices.suffix(values.count)
            for (index, row) in zip(own, withObjects(own.map { found[$0].values }, query, store)) {
                found[index].values = row
            }
        }
        let directions = query.fetch.order.map(\.ascending) + [true]
        found.sort { left, right in
            for (index, isAscending) in directions.enumerated() {
                let order = ValueOrdering.sortOrder(left.keys[index], right.keys[index])
                if order != .orderedSame { return (order == .orderedAscending) == isAscending }
            }
            return false
        }
        var rows = found.map(\.values)
        if query.isDistinct {
            var seen: Set<[Value]> = []
            rows = rows.filter { seen.insert($0).inserted }
        }
        return Array(rows.window(offset: query.fetch.offset, limit: query.fetch.limit))
    }

    /// Aggregates over the rows of several stores, computed together in memory.
    private func groupedValues(_ query: Query) throws(StorageError) -> [[Value]] {
        guard let first = query.fetch.stores.first else { return [] }
        let objects = query.groups.contains { destination(of: $0, query.fetch.entity) != nil }
        guard !objects, objectTerms(query, first).isEmpty else {
            throw .invalidRequest(
                "A grouped query over several stores cannot select objects. Name one store in 'From'.")
        }
        var rows: [Row] = []
        for store in query.fetch.stores {
            var request = try query.fetch.request(store)
            request.order = []
            request.offset = 0
            request.limit = nil
            guard request.relationships.isEmpty, try valueRequest(query, store).relationships.isEmpty else {
                throw .invalidRequest(
                    "A grouped query over several stores cannot follow relationships. Name one store in 'From'."
                )
            }
            rows += try read(store, "query") { reader throws(StorageError) in try reader.rows(request) }
        }
        var request = try valueRequest(query, first)
        request.rows.predicate = .constant(true)
        return try evaluator.values(request, in: RowList(layout: layout, rows: rows))
    }
}

extension ObjectGraph.Query.Term {
    /// Whether the term is a value of each row, rather than of many.
    fileprivate var isPlain: Bool { if case .aggregate = self { false } else { true } }
}

/// Rows of several stores, for queries that look at nothing else.
private struct RowList: RowSource {
    let layout: ModelLayout
    let rows: [Row]

    func forEachRow(root: Int, _ body: (Row) -> Bool) {
        for row in rows { guard body(row) else { return } }
    }

    func row(root: Int, key: Int64) -> Row? { nil }
    func related(_ relationship: Int, of owner: Int64) -> [Row] { [] }
}
