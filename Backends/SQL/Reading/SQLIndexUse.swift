import CofferEvaluation
import CofferStorage

/// Estimates which conditions the indexes of the tables serve, without statistics.
struct SQLIndexUse {
    let schema: SQLSchema

    /// Returns the part of an entity's table that is read for a condition.
    func reach(of predicate: RowPredicate, _ entity: Int) -> SQLReach {
        if let existence = predicate.asExistence { return reach(of: existence, entity) }
        return switch predicate {
        case .constant(let holds): holds ? .all : .few
        case .compare(.value(let left), let comparison, .value(let right)):
            comparison.holds(left, right) ? .all : .few
        case .compare(let left, let comparison, .value(let value)): reach(of: left, comparison, value, entity)
        case .compare(.value(let value), let comparison, let right):
            reach(of: right, comparison.mirrored, value, entity)
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

    /// Returns the part of a table that is read for a condition on related objects.
    ///
    /// The related rows or the links contain the keys of the owners.
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

    /// The range of an index that decides how the rows of a request are found.
    struct Range {
        /// The entity of the column.
        let entity: Int
        let operand: RowExpression
        let condition: RowPredicate
        /// Whether the column belongs to the rows of the request.
        var isOwn: Bool
    }

    /// Returns the only indexed condition of a request, if it is a range of one column.
    ///
    /// The column belongs to the rows or to related objects.
    ///
    /// - Returns: nil also if the order of the request begins with the column.
    func onlyRange(of request: RowRequest) -> Range? {
        guard let range = onlyRange(of: request.predicate, request.entity), range.operand != .key else { return nil }
        return range.isOwn && request.order.first?.expression == range.operand ? nil : range
    }

    private func onlyRange(of predicate: RowPredicate, _ entity: Int) -> Range? {
        guard reach(of: predicate, entity) == .range else { return nil }
        if let related = predicate.ofRelatedObject {
            return onlyRange(ofRelated: related.condition, related.relationship)
        }
        switch predicate.asExistence ?? predicate {
        case .compare(let left, let comparison, let right):
            if comparison == .equal { return nil }
            if case .value = right { return Range(entity: entity, operand: left, condition: predicate, isOwn: true) }
            return Range(entity: entity, operand: right, condition: predicate, isOwn: true)
        case .some(_, let relationship, let condition): return onlyRange(ofRelated: condition, relationship)
        case .and(let parts):
            let groups = RowPredicate.groupedByRelatedObject(parts).filter { reach(of: $0, entity) == .range }
            if groups.count == 1 { return onlyRange(of: groups[0], entity) }
            let ranges = groups.map { onlyRange(of: $0, entity) }
            guard let first = ranges.first, let first, ranges.allSatisfy({ $0?.isOwn == true }),
                ranges.allSatisfy({ $0?.operand == first.operand })
            else { return nil }
            return Range(entity: entity, operand: first.operand, condition: .and(groups), isOwn: true)
        case .or(let parts):
            let ranges = parts.filter { reach(of: $0, entity) == .range }
            return ranges.count == 1 ? onlyRange(of: ranges[0], entity) : nil
        default: return nil
        }
    }

    private func onlyRange(ofRelated condition: RowPredicate, _ relationship: Int) -> Range? {
        var range = onlyRange(of: condition, schema.layout.relationships[relationship].destination)
        range?.isOwn = false
        return range
    }
}
