public import CofferStorage

/// Defines the result of every request, by evaluating the request on rows in memory in the simplest way.
///
/// ```swift
/// let evaluator = ReferenceEvaluator(layout: layout)
/// let adults = evaluator.rows(RowRequest(entity: 0, predicate: isAdult), in: source)
/// ```
///
/// Each store must return the same results. Requests must fit the layout; see `ModelLayout.check(_:)`.
public struct ReferenceEvaluator: Sendable {
    /// The model of the rows.
    public let layout: ModelLayout

    /// Creates an evaluator for rows of a model.
    public init(layout: ModelLayout) { self.layout = layout }

    /// Compiles a condition, which can then test many rows.
    public func predicate(_ predicate: RowPredicate) -> CompiledPredicate {
        PredicateCompiler(layout: layout).compile(predicate)
    }

    /// Compiles an order, which can then compare many rows.
    public func order(_ order: [RowSort]) -> CompiledOrder {
        CompiledOrder(
            keys: order.compactMap {
                let expression = CompiledExpression($0.expression, in: layout)
                guard expression.constant == nil else { return nil }
                return CompiledSort(expression: expression, ascending: $0.ascending)
            }
        )
    }

    /// Returns the rows of a request, in its order.
    public func rows(_ request: RowRequest, in source: any RowSource) -> [Row] {
        rows(request, in: source) { request, body in forEachMatch(request, in: source, body) }
    }

    /// Returns the rows of a request, with a closure that finds the matching rows in the order of their keys.
    func rows(
        _ request: RowRequest, in source: any RowSource, matches: (RowRequest, (Row) -> Bool) -> Void
    ) -> [Row] {
        guard request.limit.map({ $0 > 0 }) ?? true else { return [] }
        let order = order(request.order)
        let window = window(request)
        let end = order.keys.isEmpty ? window.end ?? .max : .max
        var rows: [Row] = []
        matches(request) { row in
            rows.append(row)
            return rows.count < end
        }
        return cut(sorted(rows, by: order, in: source, limit: window.end), window)
    }

    /// Returns the number of rows of a request, with its offset and limit.
    public func count(_ request: RowRequest, in source: any RowSource) -> Int {
        var count = 0
        forEachMatch(request, in: source) { _ in
            count += 1
            return true
        }
        return windowed(count, request)
    }

    /// Returns the value of an expression for a row.
    public func value(_ expression: RowExpression, of row: Row, in source: any RowSource) -> Value {
        CompiledExpression(expression, in: layout).value(row, source)
    }
}

extension ReferenceEvaluator {
    /// The entities of the requested rows; nil if these are all entities of the tree.
    package func wantedEntities(_ request: RowRequest) -> ColumnSet? {
        let entity = layout.entities[request.entity]
        let wanted = request.includesSubentities ? entity.descendants : [request.entity]
        if entity.root == entity.index, wanted.count == entity.descendants.count { return nil }
        var set = ColumnSet()
        for entity in wanted { set.insert(entity) }
        return set
    }

    /// Calls the closure with each matching row, in the order of the keys, until the closure returns false.
    package func forEachMatch(_ request: RowRequest, in source: any RowSource, _ body: (Row) -> Bool) {
        let predicate = predicate(request.predicate)
        if predicate.constant == false { return }
        let root = layout.entities[request.entity].root
        let test = predicate.test
        switch (wantedEntities(request), predicate.constant) {
        case (nil, true): source.forEachRow(root: root, body)
        case (nil, _): source.forEachRow(root: root) { !test($0, source) || body($0) }
        case (.some(let wanted), _):
            source.forEachRow(root: root) { !wanted.contains($0.entity) || !test($0, source) || body($0) }
        }
    }

    /// Returns matching rows, which are in the order of their keys, in the given order.
    package func sorted(_ rows: [Row], by order: CompiledOrder, in source: any RowSource, limit: Int?) -> [Row] {
        RowSorter(order: order, source: source).sorted(rows, limit: limit)
    }

    /// The index of the first requested row among the matching rows, and the index after the last requested row.
    package func window(_ request: RowRequest) -> (start: Int, end: Int?) {
        let start = max(request.offset, 0)
        guard let limit = request.limit else { return (start, nil) }
        let (end, isTooFar) = start.addingReportingOverflow(max(limit, 0))
        return (start, isTooFar ? nil : end)
    }

    package func cut<Element>(_ elements: [Element], _ window: (start: Int, end: Int?)) -> [Element] {
        let end = min(window.end ?? elements.count, elements.count)
        if window.start == 0 && end == elements.count { return elements }
        return window.start < end ? Array(elements[window.start..<end]) : []
    }

    package func windowed(_ count: Int, _ request: RowRequest) -> Int {
        let window = window(request)
        return max(min(window.end ?? count, count) - window.start, 0)
    }
}
