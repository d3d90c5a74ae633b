import CofferEvaluation
import CofferStorage

/// Appends functions, conditional expressions, aggregates and string tests, with the SQL that the dialect returns.
extension SQLStatementBuilder {
    mutating func appendFunction(_ function: ValueFunction, _ arguments: [RowExpression], in scope: Scope) {
        let operands = arguments.map { argument in
            SQLOperand(rendered { $0.append(argument, in: scope) }, kind(of: argument))
        }
        if !function.isForText { computes = true }
        append(dialect.computation(function, of: operands), orRefuse: "\(function)")
        append(dialect.collation(of: function.kind(of: operands.map(\.kind))))
    }

    mutating func appendConditional(
        _ condition: RowPredicate, _ first: RowExpression, _ second: RowExpression, in scope: Scope
    ) {
        parenthesized { builder in
            builder.append("CASE WHEN ")
            builder.append(condition, in: scope)
            builder.append(" THEN ")
            builder.append(first, in: scope)
            builder.append(" ELSE ")
            builder.append(second, in: scope)
            builder.append(" END")
        }
        if let kind = kind(of: first) ?? kind(of: second) { append(dialect.collation(of: kind)) }
    }

    /// Notes whether an aggregate can exceed the types of the database: a count, a minimum and a maximum cannot.
    mutating func noteComputation(_ aggregate: ValueRequest.Aggregate) {
        if aggregate == .sum || aggregate == .average { computes = true }
    }

    mutating func appendAggregate(
        _ aggregate: ValueRequest.Aggregate, _ value: RowExpression, _ path: [Int], _ relationship: Int,
        _ condition: RowPredicate, in scope: Scope
    ) {
        let members = fromScope(schema.layout.relationships[relationship].destination)
        let inner = scope.around(members)
        let kind = kind(of: value) ?? .integer
        noteComputation(aggregate)
        if !path.isEmpty {
            append("CASE WHEN ")
            appendKey(through: path[...], in: scope)
            append(" IS NOT NULL THEN ")
        }
        text += "("
        nested { builder in
            func append(_ operand: String) {
                builder.append("SELECT ")
                builder.append(
                    builder.dialect.comparedAggregate(aggregate, of: SQLOperand(operand, kind), isRelated: true),
                    orRefuse: "the \(aggregate) of related \(kind) values"
                )
            }
            guard value.refersOutside else {
                append(builder.rendered { $0.append(value, in: inner) })
                return builder.appendRelated(path, relationship, condition, members: members, in: scope)
            }
            // By the SQL standard, an aggregate that contains only outer values is an aggregate of the outer rows.
            let name = builder.dialect.quoted("value")
            append(name)
            builder.append(" FROM (SELECT ")
            builder.append(value, in: inner)
            builder.append("\(builder.dialect.collation(of: kind)) AS \(name)")
            builder.appendRelated(path, relationship, condition, members: members, in: scope)
            builder.append(") \(builder.alias())")
        }
        text += ")"
        if !path.isEmpty { append(" END") }
        append(dialect.collation(of: aggregate.kind(of: kind) ?? kind))
    }
}
