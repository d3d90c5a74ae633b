import CofferEvaluation
import CofferStorage
import Foundation

/// Walks along an index in the order of a request, until enough rows match.
///
/// If the order has more columns than the index, rows that are equal in the columns of the index are sorted.
struct IndexWalk {
    let order: RowWalk.IndexOrder
    let index: TablePlan.Index
    let table: Table
    let snapshot: Snapshot
    let evaluator: ReferenceEvaluator

    /// Returns the first matching rows up to the end of the request's window; nil if the budget of rows is used up.
    func rows(_ request: RowRequest, budget: Int) -> [Row]? {
        let test = evaluator.predicate(request.predicate)
        let isAll = test.constant == true
        if test.constant == false { return [] }
        let wanted = evaluator.wantedEntities(request)
        let end = evaluator.window(request).end ?? .max
        let isSorted = order.isWhole && order.ascending
        let sort = order.isWhole ? nil : evaluator.order(request.order)
        var rows: [Row] = []
        rows.reserveCapacity(min(end, table.rows.count))
        var budget = isAll && order.isWhole ? Int.max : budget
        // The start of the last group of rows that are equal in the columns of the index.
        var start = 0
        var isComplete = true
        walk { entry in
            guard let found = table.rows.row(entry.key) else { return true }
            return found.lent { row in
                if wanted?.contains(row.entity) ?? true, isAll || test.matches(row, in: snapshot) {
                    if isSorted {
                        rows.append(row)
                        if rows.count >= end { return false }
                    } else {
                        if start < rows.count, index.compare(rows[start], row, order.columnCount) != .orderedSame {
                            finish(&rows, from: start, end, sort)
                            start = rows.count
                            if rows.count >= end { return false }
                        }
                        rows.append(row)
                    }
                }
                budget -= 1
                isComplete = budget > 0
                return isComplete
            }
        }
        guard isComplete else { return nil }
        if !isSorted { finish(&rows, from: start, end, sort) }
        return rows
    }

    /// Sorts the last group of rows that are equal in the columns of the index, and removes rows after the end.
    private func finish(_ rows: inout [Row], from start: Int, _ end: Int, _ sort: CompiledOrder?) {
        guard rows.count - start > 1 else { return }
        guard let sort else { return rows[start...].reverse() }
        let group = evaluator.sorted(Array(rows[start...]), by: sort, in: snapshot, limit: end - start)
        rows.replaceSubrange(start..., with: group)
    }

    /// Calls the closure with the entries within the bounds, in order, until it returns false.
    private func walk(_ visit: (Entry) -> Bool) {
        let tree = table.index(order.index)
        let (lowest, highest) = (order.bounds.lowerBound, order.bounds.upperBound)
        if order.bounds == .null ... .highest {
            order.ascending ? tree.walk(visit) : tree.walkBackwards(visit)
        } else if order.ascending {
            tree.walk(from: { $0.word < lowest }) { !(highest < $0.word) && visit($0) }
        } else {
            tree.walkBackwards(from: { !(highest < $0.word) }) { !($0.word < lowest) && visit($0) }
        }
    }
}
