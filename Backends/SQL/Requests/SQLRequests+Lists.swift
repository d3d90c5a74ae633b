public import CofferStorage

/// Requests for the rows with one of many values.
extension SQLRequests {
    /// The rows of a request for the values of a long list, where an index finds the rows of each value.
    ///
    /// `IN` sorts the values first and then the rows. A join looks each value up in the index.
    ///
    /// - Returns: a statement for the rows in any order, a row once for each time its value is in the list; nil if the
    ///   request is for something else, or has an order, offset or limit.
    public func unorderedRows(_ request: RowRequest) throws(SQLInexpressible) -> SQLStatement? {
        guard request.order.isEmpty, request.offset == 0, request.limit == nil,
            let (slot, kind, values, rest) = longList(request.predicate),
            isIndexed(slot, of: request.entity)
        else { return nil }
        var literals: [Value] = []
        literals.reserveCapacity(values.count)
        for value in values {
            switch SQLLiteral(value, for: kind) {
            case .same(let same): literals.append(same)
            case .number: return nil
            case .incomparable: break
            }
        }
        guard let list = dialect.joinedList(literals, kind: kind, alias: "l") else { return nil }
        var writer = SQLWriter(schema, dialect)
        let scope = writer.scope(request.entity)
        writer.append("SELECT ")
        writer.appendColumns(shape(request), of: scope.alias)
        writer.append(" FROM \(list.before)")
        writer.bind(list.binding)
        writer.append("\(list.after) CROSS JOIN ")
        writer.appendTable(scope)
        var remaining = request
        remaining.predicate = .and(rest)
        let hasWhere = writer.appendWhere(remaining, in: scope)
        writer.append(hasWhere ? " AND " : " WHERE ")
        writer.append(.column(slot: slot, kind: kind), in: scope)
        writer.append(" = \(list.value)")
        return try writer.statement()
    }

    /// The first condition of a predicate on a long list, and the other conditions.
    private func longList(
        _ predicate: RowPredicate
    ) -> (slot: Int, kind: ColumnKind, values: [Value], rest: [RowPredicate])? {
        var parts = [predicate]
        if case .and(let several) = predicate { parts = several }
        for (place, part) in parts.enumerated() {
            guard case .isIn(.column(let slot, let kind), let values) = part, values.count > dialect.listLimit else {
                continue
            }
            parts.remove(at: place)
            return (slot, kind, values, parts)
        }
        return nil
    }

    /// Whether an index begins with the column of a slot.
    private func isIndexed(_ slot: Int, of entity: Int) -> Bool {
        let table = schema.tables[entity]
        guard let columns = table.columnsOfSlots[entity], slot < columns.count else { return false }
        let column = columns[slot]
        return (table.indexes + table.uniqueConstraints).contains { $0.first == column }
    }
}
