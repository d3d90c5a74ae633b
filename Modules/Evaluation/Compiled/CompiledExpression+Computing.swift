import CofferStorage

/// Compiles functions, conditional expressions and aggregates to closures.
extension CompiledExpression {
    init(computing expression: RowExpression, in layout: ModelLayout) {
        let value: @Sendable (Row, any RowSource) -> Value
        switch expression {
        case .function(let function, let arguments):
            let kind = layout.kind(of: expression)
            value = Self.computed(function, arguments.map { CompiledExpression($0, in: layout).value }, kind)
        case .conditional(let condition, let first, let second):
            let test = PredicateCompiler(layout: layout).compile(condition).test
            let (first, second) = (
                CompiledExpression(first, in: layout).value, CompiledExpression(second, in: layout).value
            )
            value = { row, source in test(row, source) ? first(row, source) : second(row, source) }
        case .aggregate(let aggregate, let member, let path, let relationship, let condition):
            value = Self.aggregated(aggregate, member, path, relationship, condition, in: layout)
        case .outer(let inner):
            let inner = CompiledExpression(inner, in: layout).value
            value = { _, source in
                guard let source = source as? InnerSource else { return .null }
                return inner(source.outer, source.source)
            }
        default:
            value = { _, _ in .null }
        }
        self.init(
            kind: layout.kind(of: expression), value: value,
            word: { row, source in value(row, source).isNull ? .null : .undecided }
        )
    }

    private static func computed(
        _ function: ValueFunction, _ arguments: [@Sendable (Row, any RowSource) -> Value], _ kind: ColumnKind?
    ) -> @Sendable (Row, any RowSource) -> Value {
        guard kind == .decimal else { return { row, source in function.result(arguments.map { $0(row, source) }) } }
        return { row, source in function.result(arguments.map { $0(row, source) }).asDecimal }
    }

    private static func aggregated(
        _ aggregate: ValueRequest.Aggregate, _ member: RowExpression, _ path: [Int], _ relationship: Int,
        _ condition: RowPredicate, in layout: ModelLayout
    ) -> @Sendable (Row, any RowSource) -> Value {
        let value = CompiledExpression(member, in: layout).value
        let predicate = PredicateCompiler(layout: layout).compile(condition)
        let test = predicate.test
        let steps = path.compactMap { ToOneStep($0, in: layout) }
        let isCorrelated = condition.refersOutside || member.refersOutside
        let kind = layout.kind(of: member)
        let isCount = aggregate == .count && member == .key && predicate.constant == true
        return { row, source in
            var owner = row
            for step in steps {
                guard let next = step.follow(owner, source) else { return .null }
                owner = next
            }
            if isCount { return .integer(Int64(source.count(relationship, of: owner.key))) }
            let inner: any RowSource = isCorrelated ? InnerSource(source: source, outer: row) : source
            var total = ValueTotal(aggregate, of: kind)
            for related in source.related(relationship, of: owner.key) where test(related, inner) {
                total.add(value(related, inner))
            }
            return total.nearest
        }
    }
}
