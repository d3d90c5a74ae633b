import CofferStorage

/// Appends conditions, subqueries and related rows to a statement.
///
/// The appended condition is true exactly if the predicate is true. Otherwise it is false or, outside of `not`, null.
extension SQLStatementBuilder {
    mutating func append(_ predicate: RowPredicate, in scope: Scope) {
        if appendMembership(predicate, in: scope) { return }
        switch predicate {
        case .constant(let holds): append(holds ? "TRUE" : "FALSE")
        case .compare(let left, let comparison, let right):
            if let existence = predicate.asExistence { return append(existence, in: scope) }
            appendComparison(left, comparison, right, in: scope)
        case .isIn(let expression, let values): appendIsIn(expression, values, in: scope)
        case .isEntity(let entities): appendIsEntity(entities, in: scope)
        case .text(let left, let relation, let right, let options):
            let (a, b) = (rendered { $0.append(left, in: scope) }, rendered { $0.append(right, in: scope) })
            append(dialect.textTest(a, relation, b, options), orRefuse: "\(relation)\(options)")
        case .some(let path, let relationship, let condition):
            appendSome(path, relationship, condition, in: scope)
        case .and(let parts):
            let groups = RowPredicate.groupedByRelatedObject(parts)
            appendParts(groups[...], "AND", whenEmpty: "TRUE", in: scope)
        case .or(let parts):
            let bound = RowPredicate.commonBound(of: parts)
            if let bound {
                append(bound, in: scope)
                append(" AND (")
            }
            requiring(parts.count < 2 && isRequired) {
                $0.appendParts(parts[...], "OR", whenEmpty: "FALSE", in: scope)
            }
            if bound != nil { append(")") }
        case .not(let part): requiring(false) { $0.appendNot(part, in: scope) }
        }
    }

    /// Appends conditions with `AND` or `OR` between them.
    ///
    /// Long lists become a balanced tree, because databases limit the depth of an expression.
    private mutating func appendParts(
        _ parts: ArraySlice<RowPredicate>, _ joiner: String, whenEmpty: String, in scope: Scope
    ) {
        guard parts.count > 1 else {
            guard let part = parts.first else { return append(whenEmpty) }
            return append(part, in: scope)
        }
        if parts.count > 32 {
            let middle = parts.startIndex + parts.count / 2
            parenthesized { $0.appendParts(parts[..<middle], joiner, whenEmpty: whenEmpty, in: scope) }
            append(" \(joiner) ")
            return parenthesized { $0.appendParts(parts[middle...], joiner, whenEmpty: whenEmpty, in: scope) }
        }
        appendList(parts, by: " \(joiner) ") { builder, part in
            switch part {
            case .and, .or: builder.parenthesized { $0.append(part, in: scope) }
            default: builder.append(part, in: scope)
            }
        }
    }

    mutating func appendIsEntity(_ entities: [Int], in scope: Scope) {
        let table = schema.tables[scope.entity]
        let possible = schema.layout.entities[table.root].descendants.filter { !schema.layout.entities[$0].isAbstract }
        let wanted = possible.filter(entities.contains)
        if wanted.count == possible.count { return append("TRUE") }
        guard !wanted.isEmpty else { return append("FALSE") }
        appendColumn(SQLTable.entity, of: scope.alias)
        if wanted.count == 1 {
            append(" = ")
            return bind(.text(schema.layout.entities[wanted[0]].name))
        }
        append(" IN (")
        appendList(wanted) { $0.bind(.text($0.schema.layout.entities[$1].name)) }
        append(")")
    }

    /// Appends the negation of a condition.
    ///
    /// `NOT EXISTS` is never null, and some databases run it as an anti-join.
    private mutating func appendNot(_ part: RowPredicate, in scope: Scope) {
        let condition = rendered { $0.append(part, in: scope) }
        if case .some = part, condition.hasPrefix("EXISTS") { return append("NOT \(condition)") }
        append("(\(condition)) IS NOT TRUE")
    }

    private mutating func appendSome(
        _ path: [Int], _ index: Int, _ condition: RowPredicate, in scope: Scope
    ) {
        if appendOwners(path, index, condition, in: scope) { return }
        append("EXISTS (SELECT 1")
        nested { $0.appendRelated(path, index, condition, in: scope) }
        append(")")
    }

    /// Appends the `FROM` and `WHERE` clauses for the related rows that fulfil a condition, with a leading space.
    ///
    /// - Parameter members: the scope of the rows, if the caller already uses this scope.
    mutating func appendRelated(
        _ path: [Int], _ index: Int, _ condition: RowPredicate, members: Scope? = nil, in scope: Scope
    ) {
        let relationship = schema.layout.relationships[index]
        append(" FROM ")
        let rows: Scope
        let owner: String
        switch relationship.storage {
        case .reference: return append("(SELECT 1 WHERE FALSE)")
        case .inverse(let slot, _):
            rows = members ?? fromScope(relationship.destination)
            appendTable(rows)
            owner = "\(rows.alias).\(columnName(slot, of: relationship.destination))"
        case .links:
            let link = appendMembers(of: index)
            rows = members ?? fromScope(relationship.destination)
            append(" JOIN ")
            appendTable(rows)
            append(" ON \(rows.alias).\(dialect.quoted(SQLTable.key)) = \(link.member)")
            owner = link.owner
        }
        let place = text.utf8.count
        append(" WHERE \(owner) = ")
        appendKey(through: path[...], in: scope)
        if condition != .constant(true) {
            append(" AND ")
            parenthesized { builder in
                builder.requiring { $0.append(condition, in: scope.around(rows)) }
            }
        }
        closeFrom(rows, at: place)
    }
}
