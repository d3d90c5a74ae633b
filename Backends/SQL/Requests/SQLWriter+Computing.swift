import CofferStorage

/// Values that are computed, and conditions on texts.
extension SQLWriter {
    mutating func appendFunction(_ function: ValueFunction, _ arguments: [RowExpression], in scope: Scope) {
        let operands = arguments.map { argument in
            SQLOperand(rendered { $0.append(argument, in: scope) }, kind(of: argument, in: scope))
        }
        computes = true
        append(dialect.computation(function, of: operands), orRefuse: "\(function)")
        append(dialect.collation(of: function.kind(of: operands.map(\.kind))))
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
        computes = true
        if !path.isEmpty {
            append("CASE WHEN ")
            appendKey(through: path[...], in: scope)
            append(" IS NOT NULL THEN ")
        }
        text += "("
        nested { writer in
            func append(_ operand: String) {
                writer.append("SELECT ")
                writer.append(
                    writer.dialect.comparedAggregate(aggregate, of: SQLOperand(operand, kind), isRelated: true),
                    orRefuse: "the \(aggregate) of related \(kind) values"
                )
            }
            guard value.refersOutside else {
                append(writer.rendered { $0.append(value, in: inner) })
                return writer.appendRelated(path, relationship, condition, members: members, in: scope)
            }
            // By the standard, an aggregate of nothing but values from around is one of the rows around.
            let name = writer.dialect.quoted("value")
            append(name)
            writer.append(" FROM (SELECT ")
            writer.append(value, in: inner)
            writer.append("\(writer.dialect.collation(of: kind)) AS \(name)")
            writer.appendRelated(path, relationship, condition, members: members, in: scope)
            writer.append(") \(writer.alias())")
        }
        text += ")"
        if !path.isEmpty { append(" END") }
        append(dialect.collation(of: aggregate.kind(of: kind) ?? kind))
    }

    mutating func appendText(
        _ left: RowExpression, _ relation: TextRelation, _ right: RowExpression, _ options: TextOptions,
        in scope: Scope
    ) {
        let (a, b) = (rendered { $0.append(left, in: scope) }, rendered { $0.append(right, in: scope) })
        append(dialect.textTest(a, relation, b, options), orRefuse: "\(relation)\(options)")
    }
}
