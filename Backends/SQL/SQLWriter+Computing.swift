import CofferStorage

/// Values that are computed, and conditions on texts.
extension SQLWriter {
    mutating func appendFunction(_ function: ValueFunction, _ arguments: [RowExpression], in scope: Scope) {
        let kinds = arguments.map { kind(of: $0, in: scope) }
        let parts = dialect.computation(function, of: kinds)
        append(parts.before)
        appendList(arguments, by: parts.between) { $0.append($1, in: scope) }
        append(parts.after)
        append(dialect.collation(of: function.kind(of: kinds)))
    }

    mutating func appendConditional(
        _ condition: RowPredicate, _ first: RowExpression, _ second: RowExpression, in scope: Scope
    ) {
        parenthesized { writer in
            writer.append("CASE WHEN ")
            writer.append(condition, in: scope)
            writer.append(" THEN ")
            writer.append(first, in: scope)
            writer.append(" ELSE ")
            writer.append(second, in: scope)
            writer.append(" END")
        }
        if let kind = kind(of: first, in: scope) ?? kind(of: second, in: scope) { append(dialect.collation(of: kind)) }
    }

    mutating func appendAggregate(
        _ aggregate: ValueRequest.Aggregate, _ value: RowExpression, _ path: [Int], _ relationship: Int,
        _ condition: RowPredicate, in scope: Scope
    ) {
        let members = self.scope(schema.layout.relationships[relationship].destination)
        let inner = scope.around(members)
        let kind = kind(of: value, in: inner) ?? .integer
        let parts = dialect.comparedAggregate(aggregate, of: kind, isRelated: true)
        if !path.isEmpty {
            append("CASE WHEN ")
            appendKey(through: path[...], in: scope)
            append(" IS NOT NULL THEN ")
        }
        parenthesized { writer in
            writer.append("SELECT \(parts.before)")
            guard value.refersOutside else {
                writer.append(value, in: inner)
                writer.append(parts.after)
                return writer.appendRelated(path, relationship, condition, members: members, in: scope)
            }
            // By the standard, an aggregate of nothing but values from around is one of the rows around.
            let name = writer.dialect.quoted("value")
            writer.append("\(name)\(parts.after) FROM (SELECT ")
            writer.append(value, in: inner)
            writer.append("\(writer.dialect.collation(of: kind)) AS \(name)")
            writer.appendRelated(path, relationship, condition, members: members, in: scope)
            writer.append(") \(writer.alias())")
        }
        if !path.isEmpty { append(" END") }
        append(dialect.collation(of: aggregate.kind(of: kind) ?? kind))
    }

    mutating func appendText(
        _ left: RowExpression, _ relation: TextRelation, _ right: RowExpression, _ options: TextOptions,
        in scope: Scope
    ) {
        let parts = dialect.textTest(relation, options)
        append(parts.before)
        append(left, in: scope)
        append(parts.between)
        append(right, in: scope)
        append(parts.after)
    }
}
