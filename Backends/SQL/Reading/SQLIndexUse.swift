import CofferEvaluation
import CofferStorage

/// Estimates which conditions the indexes of the tables serve, without statistics.
struct SQLIndexUse {
    let schema: SQLSchema

    /// Returns the part of an entity's table that is read for a condition.
    func reach(of predicate: RowPredicate, _ entity: Int) -> SQLReach {
        switch predicate {
        case .constant(let holds): holds ? .all : .few
        case .compare(let left, let comparison, .value(let value)): reach(of: left, comparison, value, entity)
        case .compare(.value(let value), let comparison, let right):
            reach(of: right, comparison.flipped, value, entity)
        case .isIn(let expression, let values): values.isEmpty ? .few : reach(of: expression, .equal, values[0], entity)
        case .some(let path, let relationship, let condition): reach(path, relationship, condition)
        case .and(let parts): parts.lazy.map { reach(of: $0, entity) }.min() ?? .all
        case .or(let parts): parts.lazy.map { reach(of: $0, entity) }.max() ?? .few
        case .compare, .isEntity, .text, .not: .all
        }
    }

    private func reach(
        of expression: RowExpression, _ comparison: RowPredicate.Comparison, _ value: Value, _ entity: Int
    ) -> SQLReach {
        switch expression {
        case .key, .column:
            guard isIndexed(expression, entity) else { return .all }
            switch comparison {
            case .equal: return value.isNull ? .range : .few
            case .notEqual: return .all
            default: return .range
            }
        case .through(let relationship, let inner):
            // A path is also null if a relationship is nil.
            guard !value.isNull else { return .all }
            return reach(of: inner, comparison, value, schema.layout.relationships[relationship].destination)
        default: return .all
        }
    }

    /// The related rows of a condition refer to their owners, or links do.
    private func reach(_ path: [Int], _ relationship: Int, _ condition: RowPredicate) -> SQLReach {
        if case .links(let table, _) = schema.layout.relationships[relationship].storage,
            schema.links[table].isSymmetric
        {
            return .all
        }
        guard !condition.refersOutside else { return .all }
        return reach(of: condition, schema.layout.relationships[relationship].destination)
    }

    /// Whether an index begins with the column of an expression.
    func isIndexed(_ expression: RowExpression, _ entity: Int) -> Bool {
        guard case .column(let slot, _) = expression else { return expression == .key }
        let table = schema.tables[entity]
        guard let columns = table.columnsOfSlots[entity], slot < columns.count else { return false }
        return table.indexes.contains { $0.first == columns[slot] }
            || table.uniqueConstraints.contains { $0.first == columns[slot] }
    }

    /// The condition of a request that an index serves, if it is a range of one column and no index serves another condition.
    ///
    /// - Returns: nil also for a request with an order that begins with the column.
    func onlyRange(of request: RowRequest) -> RowPredicate? {
        guard reach(of: request.predicate, request.entity) == .range else { return nil }
        var parts = [request.predicate]
        if case .and(let several) = request.predicate { parts = several }
        var found: (operand: RowExpression, parts: [RowPredicate])?
        for part in parts where reach(of: part, request.entity) < .all {
            guard let operand = boundedOperand(of: part), found == nil || found?.operand == operand else { return nil }
            found = (operand, (found?.parts ?? []) + [part])
        }
        guard let found, found.operand != .key, request.order.first?.expression != found.operand else { return nil }
        return .and(found.parts)
    }

    /// The column that a condition compares with a bound.
    private func boundedOperand(of part: RowPredicate) -> RowExpression? {
        guard case .compare(let left, let comparison, let right) = part, comparison != .equal else { return nil }
        switch (left, right) {
        case (.column, .value): return left
        case (.value, .column): return right
        default: return nil
        }
    }
}
