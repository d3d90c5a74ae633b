public import CofferStorage

/// Returns statements for rows in any order: the rows of a long list, and rows that the program orders.
extension SQLQueries {
    /// Returns a statement for the rows of a request in any order.
    ///
    /// If the request has an order, an offset or a limit, the database orders the rows, and the result is nil.
    /// Otherwise, the result is a statement if the request is for the values of a long list, or if
    /// ``SQLDialect/leavesOrderOfKeys`` is true. If a list repeats a value, the statement repeats the row: see
    /// ``orderByKey(_:)``.
    public func unorderedRows(_ request: RowRequest) throws(SQLUnsupportedExpression) -> SQLStatement? {
        guard request.order.isEmpty, request.offset == 0, request.limit == nil else { return nil }
        if let list = try rowsOfList(request) { return list }
        return dialect.leavesOrderOfKeys ? try rows(request, isOrdered: false) : nil
    }

    /// Returns a statement for rows that have a value of a long list in a unique attribute; nil for other requests.
    ///
    /// With `IN`, SQLite first sorts the values and then the rows, and PostgreSQL plans for 200 different values. A
    /// join looks each value up in the index of the constraint, or in a hash table of the rows. If the attribute is
    /// not unique, a repeated value would multiply the rows. With another condition, the database may choose another
    /// index for each value.
    private func rowsOfList(_ request: RowRequest) throws(SQLUnsupportedExpression) -> SQLStatement? {
        guard case .isIn(.column(let slot, let kind), let values) = request.predicate,
            values.count > dialect.listLimit, isUnique(slot, of: request.entity)
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
        guard !literals.isEmpty, let list = dialect.joinedList(literals, kind: kind, alias: "l") else { return nil }
        var builder = SQLStatementBuilder(schema, dialect)
        let scope = builder.scope(request.entity)
        builder.append("SELECT ")
        builder.appendColumns(shape(request), of: scope.alias)
        builder.append(" FROM \(list.before)")
        builder.bind(list.binding)
        builder.append("\(list.after) CROSS JOIN ")
        builder.appendTable(scope)
        let all = RowRequest(entity: request.entity, includesSubentities: request.includesSubentities)
        let hasWhere = builder.appendWhere(all, in: scope)
        builder.append(hasWhere ? " AND " : " WHERE ")
        builder.append(.column(slot: slot, kind: kind), in: scope)
        builder.append(" = \(list.value)")
        return try builder.statement()
    }

    /// Whether a unique constraint consists only of the column of a slot.
    private func isUnique(_ slot: Int, of entity: Int) -> Bool {
        let table = schema.tables[entity]
        guard let columns = table.columnsOfSlots[entity], slot < columns.count else { return false }
        return table.uniqueConstraints.contains([columns[slot]])
    }

    /// Sorts the rows of ``unorderedRows(_:)`` by key, and removes repeated rows.
    public static func orderByKey(_ rows: inout [Row]) {
        rows.sort { $0.key < $1.key }
        var last: Int64?
        rows.removeAll { row in
            defer { last = row.key }
            return row.key == last
        }
    }
}
