import CofferEvaluation
import CofferSchema
import CofferStorage
import CofferStorageTools
import Foundation

/// Runs queries in one or several stores and combines the results; refuses grouped queries that it cannot combine.
///
/// Queries do not include pending changes.
struct QueryRunner {
    let state: ContextState

    func values(_ query: ObjectQuery, limit: Int?) throws(CoreStoreError) -> [[Value]] {
        try CoreStoreError.converting { () throws(StorageError) in
            var query = query
            if let limit, query.fetch.limit == nil { query.fetch.limit = limit }
            query = try settlingOrder(query)
            if let values = try valuesInOrder(query) { return values }
            return try storedValues(query)
        }
    }

    /// Returns the values in the order that the stores determine.
    func storedValues(_ query: ObjectQuery) throws(StorageError) -> [[Value]] {
        guard query.fetch.stores.count == 1 else {
            let isPlain = query.groups.isEmpty && query.having == nil && !query.hasAggregates
            return try isPlain ? listedValues(query) : groupedValues(query)
        }
        let store = query.fetch.stores[0]
        let request = try state.queryResolver.valueRequest(query, store)
        let values = try state.readers.read(store, "query") { reader throws(StorageError) in try reader.values(request)
        }
        return withObjects(values, query, store)
    }

    /// Returns the values with object ids in place of keys.
    func withObjects(_ values: [[Value]], _ query: ObjectQuery, _ store: OpenStore) -> [[Value]] {
        let spaces = state.queryResolver.objectTerms(query, store)
        guard !spaces.isEmpty else { return values }
        return values.map { row in
            row.enumerated().map { index, value in
                guard let space = spaces[index], case .integer(let key) = value else { return value }
                return .object(ObjectID(storage: space, key: key))
            }
        }
    }

    /// Returns the values of the rows of several stores, sorted together in memory.
    private func listedValues(_ query: ObjectQuery) throws(StorageError) -> [[Value]] {
        var found: [(values: [Value], keys: [Value])] = []
        for store in query.fetch.stores {
            var request = try state.queryResolver.valueRequest(query, store)
            request.rows.order = []
            request.rows.offset = 0
            request.rows.limit = nil
            request.isDistinct = false
            let count = request.terms.count
            for sort in try store.resolver.resolve(query.fetch.order, entity: query.fetch.entity) {
                request.terms.append(.expression(sort.expression))
            }
            request.terms.append(.expression(.key))
            let values = try state.readers.read(store, "query") { reader throws(StorageError) in
                try reader.values(request)
            }
            for row in values {
                found.append((Array(row[..<count]), Array(row[count...])))
            }
            let own = found.indices.suffix(values.count)
            for (index, row) in zip(own, withObjects(own.map { found[$0].values }, query, store)) {
                found[index].values = row
            }
        }
        let directions = query.fetch.order.map(\.ascending) + [true]
        found.sort { ValueOrdering.precedes($0.keys, $1.keys, directions) ?? false }
        var rows = found.map(\.values)
        if query.isDistinct { rows = rows.unique { $0 } }
        return Array(rows.window(offset: query.fetch.offset, limit: query.fetch.limit))
    }

    /// Returns aggregates over the rows of several stores, computed together in memory.
    private func groupedValues(_ query: ObjectQuery) throws(StorageError) -> [[Value]] {
        guard let first = query.fetch.stores.first else { return [] }
        let objects = query.groups.contains { state.queryResolver.destination(of: $0, query.fetch.entity) != nil }
        guard !objects, state.queryResolver.objectTerms(query, first).isEmpty else {
            throw .invalidRequest(
                "A grouped query over several stores cannot select objects. Name one configuration in 'From'.")
        }
        var rows: [Row] = []
        for store in query.fetch.stores {
            var request = try query.fetch.request(store)
            request.order = []
            request.offset = 0
            request.limit = nil
            guard request.relationships.isEmpty,
                try state.queryResolver.valueRequest(query, store).relationships.isEmpty
            else {
                throw .invalidRequest(
                    "A grouped query over several stores cannot follow relationships. Name one configuration in 'From'."
                )
            }
            rows += try state.readers.read(store, "query") { reader throws(StorageError) in try reader.rows(request) }
        }
        var request = try state.queryResolver.valueRequest(query, first)
        request.rows.predicate = .constant(true)
        return try state.evaluator.values(request, in: RowList(layout: state.layout, rows: rows))
    }

    /// Returns the query with the selected expressions in place of the aliases in its order.
    ///
    /// If the query has only one result, its order is removed after a check of the names.
    func settlingOrder(_ query: ObjectQuery) throws(StorageError) -> ObjectQuery {
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

    /// Returns groups sorted by values other than the grouped values; nil if the stores can sort the groups.
    ///
    /// The stores return the values that determine the order as further columns. If a property is neither grouped by
    /// nor aggregated, this value is the minimum of the group in ascending order, and the maximum in descending
    /// order.
    func valuesInOrder(_ query: ObjectQuery) throws(StorageError) -> [[Value]]? {
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
        let (count, order) = (query.terms.count, query.fetch.order)
        let keyed = try storedValues(wider).enumerated().map { place, values in
            (place: place, values: values, keys: zip(values[count...], order).map { $0.folded($1.options) })
        }
        let directions = order.map(\.ascending)
        let rows = keyed.sorted { left, right in
            ValueOrdering.precedes(left.keys, right.keys, directions) ?? (left.place < right.place)
        }
        return rows.window(offset: query.fetch.offset, limit: query.fetch.limit).map { Array($0.values[..<count]) }
    }
}

/// The rows of several stores, for queries that follow no relationships.
private struct RowList: RowSource {
    let layout: ModelLayout
    let rows: [Row]

    func forEachRow(root: Int, _ body: (Row) -> Bool) {
        for row in rows { guard body(row) else { return } }
    }

    func row(root: Int, key: Int64) -> Row? { nil }
    func related(_ relationship: Int, of owner: Int64) -> [Row] { [] }
}

extension Value {
    /// Returns a string without the differences that the options ignore; any other value is unchanged.
    fileprivate func folded(_ options: TextOptions) -> Value {
        guard case .text(let text) = self, TextFolding.applies(options) else { return self }
        return .text(String(decoding: TextFolding.fold(text, options), as: UTF8.self))
    }
}
