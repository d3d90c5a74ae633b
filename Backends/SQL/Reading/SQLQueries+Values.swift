import CofferEvaluation
public import CofferStorage

/// Converts requests for values to statements with aggregates, `GROUP BY` and `HAVING`.
extension SQLQueries {
    /// Returns the statement for the values of a request, with a result column for each term.
    public func values(
        _ request: ValueRequest, _ plan: SQLRangePlan = .database
    ) throws(SQLUnsupportedExpression) -> SQLStatement {
        var builder = SQLStatementBuilder(schema, dialect, plan)
        let scope = builder.fromScope(request.rows.entity)
        // Distinct results are groups of one result each.
        let isDistinctRows = request.isDistinct && !request.isGrouped
        builder.append(request.isDistinct && request.isGrouped ? "SELECT DISTINCT " : "SELECT ")
        let isGrouped = isDistinctRows || request.isGrouped
        builder.appendList(request.terms) { builder, term in
            guard isGrouped else { return builder.append(term, in: scope) }
            builder.apart { $0.append(term, in: scope) }
        }
        if request.terms.isEmpty { builder.append("NULL") }
        builder.append(" FROM ")
        builder.appendTable(scope)
        let place = builder.text.utf8.count
        builder.appendWhere(request.rows, in: scope)
        let groups = isDistinctRows ? request.terms.compactMap(\.expression) : request.groups
        if !groups.isEmpty {
            builder.append(" GROUP BY ")
            builder.appendList(groups) { $0.appendGroup($1, in: scope) }
        }
        if let having = request.having {
            builder.append(" HAVING ")
            builder.parenthesized { $0.append(having, in: scope) }
        }
        if !groups.isEmpty {
            builder.appendGroupOrder(request.rows.order, groups, in: scope)
        } else if !request.isGrouped {
            let mark = plan == .index ? dialect.indexMarks?.expression : nil
            builder.appendOrder(request.rows.order, mark: mark, in: scope)
        }
        builder.closeFrom(scope, at: place)
        builder.appendLimit(request.rows)
        let kinds = request.terms.map { term in
            term.isComputedInteger(schema.layout) ? nil : builder.kind(of: term) ?? .integer
        }
        if request.isDistinct, request.isGrouped, !dialect.sortsDistinctGroups { builder.refuse("DISTINCT groups") }
        return try builder.statement(results: kinds)
    }
}

extension SQLStatementBuilder {
    fileprivate mutating func append(_ term: ValueRequest.Term, isCompared: Bool = false, in scope: Scope) {
        switch term {
        case .expression(let expression): append(expression, in: scope)
        case .aggregate(let aggregate, let expression):
            guard let kind = kind(of: expression) else { return appendEmpty(aggregate) }
            if kind.family != .number, aggregate == .sum || aggregate == .average { return appendEmpty(aggregate) }
            let operand = SQLOperand(rendered { $0.append(expression, in: scope) }, kind)
            noteComputation(aggregate)
            append(
                isCompared
                    ? dialect.comparedAggregate(aggregate, of: operand, isRelated: false)
                    : dialect.aggregate(aggregate, of: operand),
                orRefuse: "the \(aggregate) of \(kind) values"
            )
            append(dialect.collation(of: self.kind(of: term) ?? .integer))
        }
    }

    /// Appends the aggregate of no values.
    ///
    /// The SQL is an aggregate, because a constant would be selected once for each row.
    private mutating func appendEmpty(_ aggregate: ValueRequest.Aggregate) {
        append(aggregate == .count || aggregate == .sum ? "COUNT(NULL)" : "MAX(CAST(NULL AS INTEGER))")
    }

    /// Appends an expression of a `GROUP BY` clause.
    ///
    /// Some databases would interpret a constant as the number of a column.
    fileprivate mutating func appendGroup(_ expression: RowExpression, in scope: Scope) {
        if case .value = expression { return append("CAST(NULL AS INTEGER)") }
        apart { $0.append(expression, in: scope) }
    }

    /// Appends the order of groups; ties are broken by the values of the groups, ascending.
    fileprivate mutating func appendGroupOrder(_ order: [RowSort], _ groups: [RowExpression], in scope: Scope) {
        var order = order
        for group in groups where !order.contains(where: { $0.expression == group }) {
            order.append(RowSort(group, ascending: true))
        }
        order.removeAll { if case .value = $0.expression { true } else { false } }
        guard !order.isEmpty else { return }
        append(" ORDER BY ")
        appendList(order) { builder, sort in builder.apart { $0.append(sort, in: scope) } }
    }

    fileprivate mutating func append(_ having: ValueRequest.Having, in scope: Scope) {
        switch having {
        case .compare(let term, let comparison, let value):
            apart { builder in
                builder.appendComparison(
                    builder.kind(of: term), { $0.append(term, isCompared: true, in: scope) }, comparison,
                    value)
            }
        case .and(let parts): appendParts(parts, "AND", "TRUE", in: scope)
        case .or(let parts): appendParts(parts, "OR", "FALSE", in: scope)
        case .not(let part):
            parenthesized { $0.append(part, in: scope) }
            append(" IS NOT TRUE")
        }
    }

    private mutating func appendParts(
        _ parts: [ValueRequest.Having], _ joiner: String, _ whenEmpty: String, in scope: Scope
    ) {
        guard !parts.isEmpty else { return append(whenEmpty) }
        appendList(parts, by: " \(joiner) ") { builder, part in
            builder.parenthesized { $0.append(part, in: scope) }
        }
    }

    func kind(of term: ValueRequest.Term) -> ColumnKind? {
        switch term {
        case .expression(let expression): return kind(of: expression)
        case .aggregate(let aggregate, let expression):
            let kind = kind(of: expression)
            // The sum of other values than numbers is the number 0.
            return aggregate == .sum && kind?.family != .number ? .integer : aggregate.kind(of: kind)
        }
    }
}

extension ValueRequest.Term {
    fileprivate var expression: RowExpression? {
        if case .expression(let expression) = self { expression } else { nil }
    }
}
