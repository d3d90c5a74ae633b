import Foundation

/// Values that are computed rather than read.
extension CompiledExpression {
    init(computing expression: RowExpression, in layout: ModelLayout) {
        let value: @Sendable (Row, any RowSource) -> Value
        switch expression {
        case .function(let function, let arguments):
            value = Self.computed(function, arguments.map { CompiledExpression($0, in: layout).value })
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
        _ function: ValueFunction, _ arguments: [@Sendable (Row, any RowSource) -> Value]
    ) -> @Sendable (Row, any RowSource) -> Value {
        { row, source in function.result(arguments.map { $0(row, source) }) }
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
        return { row, source in
            var owner = row
            for step in steps {
                guard let next = step.follow(owner, source) else { return .null }
                owner = next
            }
            let inner: any RowSource = isCorrelated ? InnerSource(source, outer: row) : source
            var total = RelatedTotal(aggregate, kind)
            for related in source.related(relationship, of: owner.key) where test(related, inner) {
                total.add(value(related, inner))
            }
            return total.result
        }
    }
}

/// An aggregate of related objects in the making.
private struct RelatedTotal {
    private let aggregate: ValueRequest.Aggregate
    private let kind: ColumnKind?
    private var count = 0
    private var integers: Int128 = 0
    private var other = Value.null

    init(_ aggregate: ValueRequest.Aggregate, _ kind: ColumnKind?) {
        self.aggregate = aggregate
        self.kind = kind
    }

    mutating func add(_ value: Value) {
        if value.isNull { return }
        count += 1
        switch aggregate {
        case .count: break
        case .minimum: if other.isNull || ValueOrdering.compare(value, other) == .orderedAscending { other = value }
        case .maximum: if other.isNull || ValueOrdering.compare(value, other) == .orderedDescending { other = value }
        case .sum, .average:
            switch value {
            case .integer(let number): integers += Int128(number)
            case .boolean(let flag): integers += flag ? 1 : 0
            default: other = other.isNull ? value : ValueFunction.add.result([other, value])
            }
        }
    }

    var result: Value {
        switch aggregate {
        case .count: return .integer(Int64(count))
        case .minimum, .maximum: return other
        case .sum:
            if !other.isNull { return other }
            if count == 0, kind == .double { return .double(0) }
            if count == 0, kind == .decimal { return .decimal(0) }
            return Int64(exactly: integers).map { .integer($0) } ?? .double(Double(integers))
        case .average:
            guard count > 0 else { return .null }
            if case .decimal = other { return ValueFunction.divide.result([other, .integer(Int64(count))]) }
            let sum = other.isNull ? .double(Double(integers)) : other
            return ValueFunction.divide.result([sum, .double(Double(count))])
        }
    }
}
