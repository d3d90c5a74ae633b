public import CofferStorage

/// Converts requests for rows, keys, counts and related rows to `SELECT` statements, with `ORDER BY` and `LIMIT`.
public struct SQLQueries: Sendable {
    /// The tables.
    public let schema: SQLSchema
    /// The dialect of the database.
    public let dialect: any SQLDialect

    /// The beginnings of the statements that return rows, by the index of the entity.
    ///
    /// The strings are long, and many requests use them.
    private let beginnings: [String]
    private let ownBeginnings: [String]
    private let texts = SQLTextCache()

    /// Creates the statements for some tables in a dialect.
    public init(_ schema: SQLSchema, _ dialect: any SQLDialect) {
        self.schema = schema
        self.dialect = dialect
        func beginning(_ entity: Int, _ shape: SQLRowShape) -> String {
            var builder = SQLStatementBuilder(schema, dialect)
            let scope = builder.scope(entity)
            builder.append("SELECT ")
            builder.appendColumns(shape, of: scope.alias)
            builder.append(" FROM ")
            builder.appendTable(scope)
            return builder.text
        }
        beginnings = schema.shapes.enumerated().map(beginning)
        ownBeginnings = schema.ownShapes.enumerated().map(beginning)
    }

    /// Returns the shape of the rows that ``rows(_:)`` returns.
    public func shape(_ request: RowRequest) -> SQLRowShape {
        request.includesSubentities ? schema.shapes[request.entity] : schema.ownShapes[request.entity]
    }

    /// Returns the statement for the rows of a request, in the shape of ``shape(_:)``.
    ///
    /// - Parameter plan: the plan that finds the rows: see ``probe(_:isSorted:)``.
    /// - Throws: an error if the dialect cannot express the request. All methods with a request throw this error.
    public func rows(
        _ request: RowRequest, _ plan: SQLRangePlan = .database
    ) throws(SQLUnsupportedExpression) -> SQLStatement {
        try rows(request, plan, isOrdered: true)
    }

    /// - Parameter isOrdered: whether the database orders the rows.
    func rows(
        _ request: RowRequest, _ plan: SQLRangePlan = .database, isOrdered: Bool
    ) throws(SQLUnsupportedExpression) -> SQLStatement {
        let beginning = request.includesSubentities ? beginnings[request.entity] : ownBeginnings[request.entity]
        return try statement(request, .row, beginning, plan, isOrdered: isOrdered)
    }

    /// Returns the statement for the keys of the rows of a request.
    public func keys(
        _ request: RowRequest, _ plan: SQLRangePlan = .database
    ) throws(SQLUnsupportedExpression) -> SQLStatement {
        var statement = try statement(
            request, .key,
            "SELECT t0.\(dialect.quoted(SQLTable.key)) FROM \(dialect.quoted(schema.tables[request.entity].name)) t0",
            plan)
        statement.results = [.reference]
        return statement
    }

    /// Returns the statement for the number of rows of a request.
    public func count(
        _ request: RowRequest, _ plan: SQLRangePlan = .database
    ) throws(SQLUnsupportedExpression) -> SQLStatement {
        var builder = SQLStatementBuilder(schema, dialect, plan)
        let isLimited = request.offset > 0 || request.limit != nil
        let scope = builder.fromScope(request.entity)
        builder.append(isLimited ? "SELECT COUNT(*) FROM (SELECT 1 FROM " : "SELECT COUNT(*) FROM ")
        builder.appendTable(scope)
        let place = builder.text.utf8.count
        builder.appendWhere(request, in: scope)
        builder.closeFrom(scope, at: place)
        if isLimited {
            builder.appendLimit(request)
            builder.append(") t")
        }
        return try builder.statement(results: [.integer])
    }

    /// Returns the statement for the row with a key, which is bound.
    public func row(root: Int) -> String {
        "\(beginnings[root]) WHERE t0.\(dialect.quoted(SQLTable.key)) = \(dialect.placeholder(0))"
    }

    /// Returns the statement for the rows with some values, which are bound in the order of a constraint's columns.
    package func holders(root: Int, constraint: Int) -> String {
        let table = schema.tables[root]
        let conditions = table.uniqueConstraints[constraint].enumerated().map { index, column in
            "t0.\(dialect.quoted(table.columns[column].name)) = \(dialect.placeholder(index))"
        }
        return "\(beginnings[root]) WHERE \(conditions.joined(separator: " AND "))"
    }

    /// Returns the statement for the rows with the values of a list's entries, each with the label of its entry.
    ///
    /// - Parameters:
    ///   - list: an expression of the database; it ends with the kind of the join if the join is not an inner join.
    ///   - values: the values of an entry, in the order of a constraint's columns.
    package func holders(root: Int, constraint: Int, in list: String, label: String, values: [String]) -> String {
        var builder = SQLStatementBuilder(schema, dialect)
        let scope = builder.scope(root)
        builder.append("SELECT ")
        builder.appendColumns(schema.shapes[root], of: scope.alias)
        builder.append(", \(label) FROM \(list) JOIN ")
        builder.appendTable(scope)
        let table = schema.tables[root]
        let conditions = zip(table.uniqueConstraints[constraint], values).map { column, value in
            "\(scope.alias).\(dialect.quoted(table.columns[column].name)) = \(value)"
        }
        builder.append(" ON \(conditions.joined(separator: " AND "))")
        return builder.text
    }

    /// Returns the statement for the rows with a number of keys, which are bound.
    public func rows(root: Int, count: Int) -> String {
        "\(beginnings[root]) WHERE t0.\(dialect.quoted(SQLTable.key)) \(dialect.isOneOf(count))"
    }

    /// Returns the slot in which the related rows contain the key of their owner; nil if they do not contain it.
    public func ownerSlot(_ index: Int) -> Int? {
        guard case .inverse(let slot, _) = schema.layout.relationships[index].storage else { return nil }
        return slot
    }

    /// Whether the related rows contain the key of their owner and have no places, so that their keys order them.
    public func isOrderedByKeys(_ index: Int) -> Bool {
        guard case .inverse(_, nil) = schema.layout.relationships[index].storage else { return false }
        return true
    }

    /// Returns the statement for the related rows of a number of owners, whose keys are bound.
    ///
    /// The columns are the shape of the related entity, and then the owner's key. If ``ownerSlot(_:)`` names the slot
    /// of the owner's key, the owner's key has no separate column.
    ///
    /// - Parameter isOrdered: whether the rows are sorted by owner, and for each owner in the relationship's order.
    public func related(_ index: Int, count: Int, isOrdered: Bool = true) -> String {
        related(index, count: count, isOrdered: isOrdered, .row)
    }

    /// Returns the statement for the members of a number of owners, whose keys are bound.
    ///
    /// The columns are the owner's key, the member's key and, in an ordered relationship, the place. The order is the
    /// order of ``related(_:count:isOrdered:)``.
    public func members(_ index: Int, count: Int) -> String { related(index, count: count, isOrdered: true, .member) }

    /// Returns the statement for the last places of a number of owners, whose keys are bound.
    ///
    /// The columns are the owner's key and the place. The rows have any order.
    public func lastPlaces(_ index: Int, count: Int) -> String {
        related(index, count: count, isOrdered: false, .lastPlace)
    }

    private enum RelatedColumns {
        case row
        case member
        case lastPlace
    }

    private func related(_ index: Int, count: Int, isOrdered: Bool, _ columns: RelatedColumns) -> String {
        let relationship = schema.layout.relationships[index]
        var builder = SQLStatementBuilder(schema, dialect)
        let scope = builder.scope(relationship.destination)
        let owner: String
        var position: String?
        var source = ""
        switch relationship.storage {
        case .reference(let slot, _):
            let owners = builder.scope(relationship.owner)
            owner = "\(owners.alias).\(dialect.quoted(SQLTable.key))"
            source = "\(dialect.quoted(schema.tables[relationship.owner].name)) \(owners.alias) JOIN "
            source += "\(dialect.quoted(schema.tables[relationship.destination].name)) \(scope.alias) ON "
            source += "\(scope.alias).\(dialect.quoted(SQLTable.key)) = "
            source += "\(owners.alias).\(builder.columnName(slot, of: relationship.owner))"
        case .inverse(let slot, let positionSlot):
            owner = "\(scope.alias).\(builder.columnName(slot, of: relationship.destination))"
            position = positionSlot.map { "\(scope.alias).\(builder.columnName($0, of: relationship.destination))" }
            source = "\(dialect.quoted(schema.tables[relationship.destination].name)) \(scope.alias)"
        case .links(let table, let isFirst):
            let side = builder.linkSide(table, isFirst: isFirst)
            let alias = builder.alias()
            owner = "\(alias).\(dialect.quoted(side.owner))"
            position = side.position.map { "\(alias).\(dialect.quoted($0))" }
            source = "\(side.source) \(alias) JOIN "
            source += "\(dialect.quoted(schema.tables[relationship.destination].name)) \(scope.alias) ON "
            source += "\(scope.alias).\(dialect.quoted(SQLTable.key)) = \(alias).\(dialect.quoted(side.member))"
        }
        switch columns {
        case .row:
            builder.append("SELECT ")
            builder.appendColumns(schema.shapes[relationship.destination], of: scope.alias)
            if ownerSlot(index) == nil { builder.append(", \(owner)") }
        case .member:
            builder.append("SELECT \(owner), ")
            builder.appendColumn(SQLTable.key, of: scope.alias)
            if let position { builder.append(", \(position)") }
        case .lastPlace:
            builder.append("SELECT \(owner), MAX(\(position ?? "NULL"))")
        }
        builder.append(" FROM \(source) WHERE \(owner) \(dialect.isOneOf(count))")
        if columns == .lastPlace {
            builder.append(" GROUP BY \(owner)")
            return builder.text
        }
        guard isOrdered else { return builder.text }
        builder.append(" ORDER BY \(owner)")
        if let position { builder.append(", \(position)\(dialect.nullOrder(ascending: true))") }
        builder.append(", ")
        builder.appendColumn(SQLTable.key, of: scope.alias)
        return builder.text
    }

    /// Returns a request that SQL can express, and that finds at least the rows of another request, by key.
    public func superset(of request: RowRequest) -> RowRequest {
        var parts = [request.predicate]
        if case .and(let several) = request.predicate { parts = several }
        parts.removeAll { part in
            var builder = SQLStatementBuilder(schema, dialect)
            let scope = builder.fromScope(request.entity)
            builder.append(part, in: scope)
            return builder.unsupported != nil || builder.computes
        }
        return RowRequest(
            entity: request.entity, includesSubentities: request.includesSubentities, predicate: .and(parts)
        )
    }

    /// - Parameter beginning: the beginning of the statement, up to the table with the first alias.
    private func statement(
        _ request: RowRequest, _ selection: SQLTextCache.Selection, _ beginning: @autoclosure () -> String,
        _ plan: SQLRangePlan, isOrdered: Bool = true
    ) throws(SQLUnsupportedExpression) -> SQLStatement {
        try texts.statement(request, selection, plan, isOrdered: isOrdered) {
            var builder = SQLStatementBuilder(schema, dialect, plan)
            let scope = builder.fromScope(request.entity)
            builder.append(beginning())
            if plan == .table, let marks = dialect.indexMarks { builder.append(marks.table) }
            let place = builder.text.utf8.count
            builder.appendWhere(request, in: scope)
            let mark = plan == .index ? dialect.indexMarks?.expression : nil
            if isOrdered { builder.appendOrder(request.order, mark: mark, in: scope) }
            builder.closeFrom(scope, at: place)
            builder.appendLimit(request)
            return builder
        }
    }
}

extension SQLStatementBuilder {
    mutating func appendColumns(_ shape: SQLRowShape, of alias: String) {
        appendList(shape.columnNames) { $0.appendColumn($1, of: alias) }
    }

    /// - Returns: whether there is a condition.
    @discardableResult
    mutating func appendWhere(_ request: RowRequest, in scope: Scope) -> Bool {
        let layout = schema.layout
        let root = layout.entities[scope.entity].root
        let wanted = request.includesSubentities ? layout.entities[scope.entity].descendants : [scope.entity]
        let all = layout.entities[root].descendants.filter { !layout.entities[$0].isAbstract }
        var parts: [RowPredicate] = all.allSatisfy(wanted.contains) ? [] : [.isEntity(wanted)]
        switch request.predicate {
        case .constant(true): break
        case .and(let more): parts += more
        default: parts.append(request.predicate)
        }
        guard !parts.isEmpty else { return false }
        append(" WHERE ")
        requiring { $0.append(.and(parts), in: scope) }
        return true
    }

    /// Appends an order; ties are broken by key, ascending.
    ///
    /// - Parameter mark: the string before each expression.
    mutating func appendOrder(_ order: [RowSort], mark: String? = nil, in scope: Scope) {
        append(" ORDER BY ")
        for sort in order {
            if case .value = sort.expression { continue }
            if let mark { append(mark) }
            append(sort, in: scope)
            if sort.expression == .key { return }
            append(", ")
        }
        if let mark { append(mark) }
        appendColumn(SQLTable.key, of: scope.alias)
    }

    mutating func append(_ sort: RowSort, in scope: Scope) {
        append(sort.expression, in: scope)
        if !sort.ascending { append(" DESC") }
        append(dialect.nullOrder(ascending: sort.ascending))
    }

    mutating func appendLimit(_ request: RowRequest) {
        guard request.offset > 0 || request.limit != nil else { return }
        var bound: [Value] = []
        let start = bindings.count
        let dialect = dialect
        append(
            dialect.limitClause(offset: max(0, request.offset), limit: request.limit.map { max(0, $0) }) { value in
                bound.append(value)
                return dialect.placeholder(start + bound.count - 1)
            }
        )
        bindings += bound
    }
}
